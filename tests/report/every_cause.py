"""A plan in which each cause of a field change stands once, with a secret and a long text."""

from __future__ import annotations

from typing import Any, get_args

from sample_plans import body, change, resource, web_plan

from helmguard.model.field_change import MISSING, Cause, FieldChange
from helmguard.model.plan import Plan, ResourceChange

SECRET = "correct-horse"
_KEPT: tuple[Cause, ...] = ("drift kept",)
_LATENT: tuple[Cause, ...] = ("latent owner",)

MANAGED = [
    {"manager": "helm", "operation": "Apply", "fieldsV1": {"f:spec": {"f:replicas": {}}}},
    {
        "manager": "kubectl",
        "operation": "Update",
        "subresource": "scale",
        "time": "2026-11-30T06:22:00Z",
        "fieldsV1": {"f:spec": {"f:replicas": {}, "f:password": {}}},
    },
]


def every_cause() -> Plan:
    """One Deployment with a field for each cause, and a large ConfigMap."""
    return web_plan(resources=(web(), settings()))


def web() -> ResourceChange:
    """The Deployment."""
    causes: tuple[Cause, ...] = get_args(Cause)
    names = {cause: cause.replace(" ", "-") for cause in causes}
    live = {name: f"live {name}" for name in names.values()}
    after = {name: f"after {name}" for name in names.values()}
    spec: dict[str, Any] = {"replicas": 7, "password": SECRET, "equal": {"a": [1, 2]}, "image": "web:1"}
    changes = [_change(cause, name) for cause, name in names.items()]
    changes.append(change("spec.password", SECRET, f"{SECRET}-new"))
    metadata: dict[str, Any] = {"managedFields": MANAGED}
    old = body("apps/v1", "Deployment", "web", "shop", spec={**spec, **live})
    old["metadata"] |= metadata
    new = body("apps/v1", "Deployment", "web", "shop", spec={**spec, **after, "password": f"{SECRET}-new"})
    made = resource("update", old, new, *changes, source="web/templates/deployment.yaml")
    kept = tuple(item for item in changes if item.cause in _KEPT)
    latent = tuple(item for item in changes if item.cause in _LATENT)
    others = tuple(item for item in changes if item.cause not in (*_KEPT, *_LATENT))
    return type(made)(made.prediction, others, kept, latent=latent)


def _change(cause: Cause, name: str) -> FieldChange:
    manager = "kubectl (scale)" if cause in ("conflict", "drift reverted", *_KEPT, *_LATENT) else ""
    if cause in (*_KEPT, *_LATENT):
        return change(f"spec.{name}", f"live {name}", f"live {name}", cause, new="x", manager=manager)
    previous = MISSING if cause == "server" else f"previous {name}"
    return change(f"spec.{name}", f"live {name}", f"after {name}", cause, previous=previous, manager=manager)


def settings(lines: int = 10_000) -> ResourceChange:
    """A ConfigMap whose text of many lines changes in two."""
    texts = [f"setting.{number} = {number}" for number in range(lines)]
    old = "\n".join(texts) + "\n"
    texts[lines // 3] += " changed"
    texts[-1] = "the last line"
    new = "\n".join(texts) + "\n"
    return resource(
        "update",
        body("v1", "ConfigMap", "settings", "shop", data={"app.conf": old}),
        body("v1", "ConfigMap", "settings", "shop", data={"app.conf": new}),
        change(("data", "app.conf"), old, new),
    )
