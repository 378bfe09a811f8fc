"""Recorded operations ("traces") as inputs of a prediction.

A trace folder holds what was known before an operation and what came of it. Only the former is read here:
values-given.yaml, release-before.json, new-manifest.yaml, hooks.json, live-before.json, the charts, and of
scenario.yaml the keys in ``KNOWN_BEFORE``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from helmguard.manifest import yaml
from helmguard.manifest.hooks import hooks_of
from helmguard.manifest.objects import IsNamespaced, read_objects
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.helm_version import HelmVersion
from helmguard.model.live_state import Absent, LiveState, Present
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey, group_of
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.schema.custom_types import custom_kinds
from helmguard.predict.scopes import is_namespaced

KNOWN_BEFORE = (
    "id",
    "helm",
    "helm_at_install",
    "kubernetes",
    "release",
    "namespace",
    "chart_old",
    "chart_new",
    "operation",
)


def read_trace(folder: Path) -> OperationInputs:
    """The inputs of the recorded operation."""
    scenario = yaml.load((folder / "scenario.yaml").read_text())
    facts = {key: scenario.get(key) for key in KNOWN_BEFORE}
    history, target_number = _history(folder, facts)
    operation = facts["operation"]
    verb = operation["verb"]
    rollback = operation.get("revision") or target_number if verb == "rollback" else None
    current = history.last() if verb == "rollback" else history.current_for_upgrade()
    hooks = json.loads((folder / "hooks.json").read_text() or "[]") or []
    live = _live(folder)
    namespaced = _is_namespaced(live)
    namespace = facts["namespace"]
    return OperationInputs(
        operation=verb,
        helm=HelmVersion.parse(facts["helm"]),
        options=_options(operation["flags"] or []),
        release=facts["release"],
        namespace=namespace,
        history=history,
        previous=read_objects(current.manifest if current else "", namespace, namespaced),
        target=read_objects((folder / "new-manifest.yaml").read_text(), namespace, namespaced),
        hooks=hooks_of(hooks),
        live=live,
        rollback_revision=rollback,
    )


def _history(folder: Path, facts: dict[str, Any]) -> tuple[History, int | None]:
    recorded = json.loads((folder / "release-before.json").read_text())
    revisions = [_revision(record) for record in recorded["records"]]
    revisions.sort(key=lambda revision: revision.version)
    return History(facts["release"], facts["namespace"], tuple(revisions)), recorded.get("target")


def _revision(record: dict[str, Any]) -> Revision:
    info = record.get("info") or {}
    return Revision(
        name=record["name"],
        namespace=record.get("namespace", ""),
        version=record["version"],
        status=info.get("status", ""),
        label_status=info.get("status", ""),
        chart=record.get("chart") or {},
        config=record.get("config"),
        manifest=record.get("manifest", ""),
        apply_method=record.get("apply_method", ""),
    )


def _options(flags: list[str]) -> ApplyOptions:
    server_side = next((flag.split("=")[1] for flag in flags if flag.startswith("--server-side=")), "auto")
    return ApplyOptions(
        force="--force" in flags or "--force-replace" in flags,
        force_conflicts="--force-conflicts" in flags,
        server_side=server_side,  # type: ignore[arg-type]
        take_ownership="--take-ownership" in flags,
        no_hooks="--no-hooks" in flags,
        cleanup_on_fail="--cleanup-on-fail" in flags,
    )


def _live(folder: Path) -> dict[ResourceKey, LiveState]:
    return {
        ResourceKey.of(entry["apiVersion"], entry["kind"], entry["namespace"] or None, entry["name"]): (
            Present(entry["object"]) if entry["object"] is not None else Absent()
        )
        for entry in json.loads((folder / "live-before.json").read_text())
    }


def shared_traces() -> Path | None:
    """The folder with ``traces`` and ``traces-random``, None where the recordings are not at hand."""
    given = os.environ.get("HELMGUARD_SHARED")
    folder = Path(given) if given else Path(__file__).parents[3] / "shared"
    return folder if (folder / "traces").is_dir() else None


def _is_namespaced(live: dict[ResourceKey, LiveState]) -> IsNamespaced:
    custom = custom_kinds(
        state.body for state in live.values() if isinstance(state, Present) and _is_definition(state.body)
    )
    seen = {(key.group, key.kind): key.namespace is not None for key in live}

    def look_up(api_version: str, kind: str) -> bool | None:
        known = is_namespaced(api_version, kind, None, custom)
        return seen.get((group_of(api_version), kind)) if known is None else known

    return look_up


def _is_definition(body: dict[str, Any]) -> bool:
    return body.get("kind") == "CustomResourceDefinition"
