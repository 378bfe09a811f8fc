"""Objects of a plan made by hand, for the tests of the context's topics."""

from __future__ import annotations

from typing import Any

from helmguard.model.field_change import FieldChange
from helmguard.model.field_path import ItemKey
from helmguard.model.live_state import Absent, LiveState, Present
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey, group_of

_CLUSTER_KINDS = frozenset(["StorageClass", "IngressClass", "PersistentVolume", "PriorityClass"])


def thing(kind: str, api_version: str, name: str = "web", **fields: Any) -> dict[str, Any]:
    """An object as the API server gives it; ``labels`` and ``annotations`` go into its metadata."""
    metadata: dict[str, Any] = {"name": name}
    if kind not in _CLUSTER_KINDS:
        metadata["namespace"] = "shop"
    for field in ("labels", "annotations"):
        if field in fields:
            metadata[field] = fields.pop(field)
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}


def deployment(name: str = "web", replicas: int = 1, **more: Any) -> dict[str, Any]:
    """A Deployment with one container; ``labels``, ``pod`` and ``container`` say more of its template."""
    labels = {"app": name, **more.pop("labels", {})}
    container = {"name": name, "image": "web:1", **more.pop("container", {})}
    kind = more.pop("kind", "Deployment")
    pod = {"containers": [container], **more.pop("pod", {})}
    template = {"metadata": {"labels": labels}, "spec": pod}
    return thing(kind, "apps/v1", name, spec={"replicas": replicas, "template": template, **more})


def service(name: str = "web", selector: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    """A Service."""
    ports = spec.pop("ports", [{"port": 80, "targetPort": 8080}])
    chosen = {"app": "web"} if selector is None else selector
    return thing("Service", "v1", name, spec={"selector": chosen, "ports": ports, **spec})


def resource(
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    *changes: FieldChange,
    action: str = "",
    live: LiveState | None = None,
) -> ResourceChange:
    """What happens to one object; the action follows from what is there on each side."""
    body = after or before or {}
    metadata = body["metadata"]
    follows = "create" if before is None else "delete" if after is None else "update"
    if before is not None and before == after:
        follows = "unchanged"
    state: LiveState = Absent() if before is None else Present(before)
    prediction = ResourcePrediction(
        key=ResourceKey(
            group_of(body["apiVersion"]), body["kind"], metadata.get("namespace"), metadata["name"]
        ),
        api_version=body["apiVersion"],
        action=action or follows,  # type: ignore[arg-type]
        previous=before,
        new=after,
        live=live or state,
        predicted=after,
    )
    return ResourceChange(prediction, changes)


def change(*path: Any, cause: str = "chart", before: Any = "old", after: Any = "new") -> FieldChange:
    """A field that changes."""
    return FieldChange(path, before, after, cause)  # type: ignore[arg-type]


TEMPLATE = ("spec", "template", "spec", "containers", ItemKey((("name", "web"),)), "image")
"""The path of an image that changes."""
