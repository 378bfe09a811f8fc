"""A plan's JSON with something of everything, and ways to change one place of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

JSON = dict[str, Any]
Change = Callable[[JSON], object]

DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "namespace": "shop",
    "name": "web",
    "hookEvents": [],
    "action": "update",
    "error": "",
    "unknown": "",
    "confirmed": "server",
    "before": {"metadata": {"resourceVersion": "7"}, "spec": {"replicas": 2}, "status": {"replicas": 2}},
    "after": {"metadata": {"resourceVersion": "7"}, "spec": {"replicas": 3}, "status": {"replicas": 2}},
    "changes": [
        {"path": "spec.replicas", "before": 2, "after": 3, "cause": "values", "previous": 2, "new": 3},
        {"path": "spec.paused", "before": None, "after": False, "cause": "server", "absent": ["before"]},
        {
            "path": "spec.roll",
            "before": "x1",
            "after": "x2",
            "cause": "unstable",
            "previous": "a",
            "new": "b",
        },
        {
            "path": "spec.password",
            "before": "(secret 11111111)",
            "after": "(secret 22222222)",
            "cause": "values",
            "previous": "(secret 11111111)",
            "new": "(secret 22222222)",
        },
    ],
    "drift": [
        {
            "path": "spec.minReadySeconds",
            "before": 5,
            "after": 5,
            "cause": "drift kept",
            "manager": "kubectl",
            "since": "2026-11-30T10:00:00Z",
            "previous": 0,
            "new": 0,
        },
        {
            "path": 'metadata.annotations["example.com/seen"]',
            "before": "a",
            "after": "a",
            "cause": "drift kept",
        },
    ],
    "ignored": [{"path": "spec.x", "before": 1, "after": 2, "cause": "chart", "countsAs": "change"}],
}
SECRET = {
    **DEPLOYMENT,
    "apiVersion": "v1",
    "kind": "Secret",
    "name": "fresh",
    "action": "create",
    "before": None,
    "after": {
        "metadata": {"name": "fresh", "uid": "u1", "creationTimestamp": "2026-11-30T10:00:00Z"},
        "data": {"token": "(secret 33333333)"},
        "items": [{"name": "a", "port": 80}, {"name": "b", "value": "random1"}],
    },
    "changes": [{"path": "data", "before": None, "after": {"token": "(secret 33333333)"}, "cause": "chart"}],
    "drift": [],
    "ignored": [],
}
PLAN: JSON = {
    "formatVersion": "helmguard.plan/v1",
    "operation": "upgrade",
    "release": {
        "name": "web",
        "namespace": "shop",
        "fromRevision": 4,
        "lastRevision": 4,
        "toRevision": 5,
        "status": "deployed",
        "changed": "2026-11-30T09:00:00Z",
        "chart": {"name": "web", "version": "1.0.0", "digest": ""},
        "newChart": {"name": "web", "version": "1.1.0", "digest": "sha256:aaaa"},
        "damaged": [],
    },
    "engine": {
        "helm": "4.3.1",
        "applyMethod": "ssa",
        "why": "the release says so",
        "render": "template",
        "kubernetes": "v1.36.3",
    },
    "values": {
        "mode": "reuse",
        "changes": [{"path": "replicas", "before": 2, "after": 3, "cause": "values"}],
        "warnings": [],
    },
    "resources": [DEPLOYMENT, SECRET],
    "hooks": [
        {
            "event": "pre-upgrade",
            "apiVersion": "batch/v1",
            "kind": "Job",
            "namespace": "shop",
            "name": "migrate",
            "weight": 0,
            "deletePolicies": ["before-hook-creation"],
            "order": 1,
            "leftOver": "none",
        }
    ],
    "failure": None,
    "findings": [
        {
            "rule": "strategy-downtime",
            "severity": "danger",
            "result": "fires",
            "title": "down for 30 s",
            "where": {"on": "object", "name": "Deployment/web", "field": "spec.strategy"},
            "before": 1,
            "after": 2,
            "consequence": "the pods are 3 days old",
            "waived": None,
        },
        {"rule": "notice", "severity": "info", "result": "fires", "where": {"on": "release", "name": "web"}},
    ],
    "definitions": [{"name": "widgets.example.com", "state": "same", "added": [], "appliedBy": ""}],
    "unknown": [{"what": "Service/web", "why": "not predictable: spec.clusterIP"}],
    "unstable": ["Secret/fresh items[name=b].value"],
    "notes": ["one", "two"],
    "failOn": "danger",
    "failOnUnknown": False,
    "serverDryRun": {"mode": "auto", "asked": 3},
    "fingerprint": {
        "namespaceUid": "ec0d-1",
        "currentManifest": "sha256:bbbb",
        "values": "sha256:cccc",
        "manifest": "sha256:dddd",
        "hooks": "sha256:eeee",
        "resourceVersions": {"apps/Deployment/shop/web": "7"},
    },
    "exitCode": 3,
}


def at(*steps: str | int) -> Callable[[JSON], Any]:
    """What stands at a place of the plan."""

    def found(plan: JSON) -> Any:
        here: Any = plan
        for step in steps:
            here = here[step]
        return here

    return found


def to(value: Any, *steps: str | int) -> Change:
    """Another value at a place."""

    def change(plan: JSON) -> None:
        at(*steps[:-1])(plan)[steps[-1]] = value

    return change


def added(value: Any, *steps: str | int) -> Change:
    return lambda plan: at(*steps)(plan).append(value)


def without(*steps: str | int) -> Change:
    def change(plan: JSON) -> None:
        del at(*steps[:-1])(plan)[steps[-1]]

    return change


def all_of(*changes: Change) -> Change:
    return lambda plan: [change(plan) for change in changes]


WEB, FRESH = ("resources", 0), ("resources", 1)
NEW_FINDING = {"rule": "r", "severity": "warning", "result": "fires", "where": {"name": "x"}}
CONFLICT = {
    "path": "spec.paused",
    "before": True,
    "after": False,
    "cause": "conflict",
    "previous": 1,
    "new": 1,
}
