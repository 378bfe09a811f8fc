"""Findings, objects and entries of a configuration, made by hand."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from helmguard.config.config import Config, Entry, FindingMatch, Ignore, Override, WaiverEntry
from helmguard.model.action import Action
from helmguard.model.field_change import FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.finding import Finding, Place, Severity
from helmguard.model.live_state import Present
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey

TODAY = date(2026, 11, 30)
TOMORROW, YESTERDAY = TODAY + timedelta(days=1), TODAY - timedelta(days=1)
FILE = ".helmguard.yaml"


def finding(
    rule: str = "lost", severity: Severity = "blocker", name: str = "driver.enabled", **more: Any
) -> Finding:
    field, on = more.pop("field", ""), more.pop("on", "value")
    return Finding(rule, severity, "your override is lost", Place(on, name, field), **more)


def waiver(rule: str = "lost", line: int = 10, *, expires: date = TOMORROW, **more: Any) -> WaiverEntry:
    if not more.get("key"):
        more.setdefault("match", FindingMatch(name="*"))
    return WaiverEntry(Entry(FILE, line), rule, "accepted for now", expires, **more)


def override(
    severity: Severity | str,
    rule: str = "lost",
    line: int = 3,
    match: FindingMatch | None = None,
    **more: Any,
) -> Override:
    return Override(Entry(FILE, line), rule, severity, "known here", match or FindingMatch(), **more)  # type: ignore[arg-type]


def ignore(path: str = "", line: int = 20, **more: Any) -> Ignore:
    return Ignore(Entry(FILE, line), "somebody else owns it", path, **more)


def config(*entries: Override | WaiverEntry | Ignore) -> Config:
    return Config(
        FILE,
        overrides=tuple(each for each in entries if isinstance(each, Override)),
        waivers=tuple(each for each in entries if isinstance(each, WaiverEntry)),
        ignores=tuple(each for each in entries if isinstance(each, Ignore)),
    )


def change(path: str | FieldPath, before: Any = 1, after: Any = 2, **more: Any) -> FieldChange:
    steps = tuple(path.split(".")) if isinstance(path, str) else path
    return FieldChange(steps, before, after, more.pop("cause", "chart"), **more)


def resource(
    *changes: FieldChange, action: Action = "update", name: str = "web", kind: str = "Deployment", **more: Any
) -> ResourceChange:
    body = {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name, "namespace": "shop"}}
    namespace, error, unknown = more.pop("namespace", "shop"), more.pop("error", ""), more.pop("unknown", "")
    prediction = ResourcePrediction(
        ResourceKey("apps", kind, namespace, name),
        "apps/v1",
        action,
        body,
        body,
        Present(body),
        body,
        error=error,
        unknown=unknown,
    )
    return ResourceChange(prediction, changes, **more)
