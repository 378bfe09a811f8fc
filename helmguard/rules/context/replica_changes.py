"""Numbers of pods that this operation changes, and the autoscalers that want a say in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.model.live_state import Present
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.pod_templates import after_of, is_written
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.scalers import Scaler, Scalers
from helmguard.rules.context.workloads import replicas_of
from helmguard.rules.facts import Facts

_PATH = ("spec", "replicas")
_SCALABLE = frozenset(["Deployment", "StatefulSet", "ReplicaSet"])


class ReplicaChange(Record, frozen=True):
    """A workload whose number of pods this operation changes, or whose manifest names it no longer."""

    ref: Annotated[str, "`Deployment/web`"]
    kind: Annotated[str, "its kind"] = "Deployment"
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    live: Annotated[int | Unknown, "replicas now, live"] = UNKNOWN
    before: Annotated[int, "replicas now: live, else what the previous manifest says"] = 1
    after: Annotated[int, "replicas after Helm"] = 1
    old: Annotated[int | None, "what the previous manifest says, null where it does not"] = None
    new: Annotated[int | None, "what the new manifest says, null where it does not"] = None
    cause: Annotated[str, "why the number changes: a cause of docs/plan-format.md"] = "chart"
    manager: Annotated[str, "the field manager beside Helm that set the live number, else empty"] = ""
    value: Annotated[str, "the values path that the change was traced to, empty where it was not"] = ""
    scaled_by: Annotated[Scaler | Unknown | None, "the autoscaler that targets it, null for none"] = UNKNOWN


def replica_changes(facts: Facts, scalers: Scalers) -> Iterator[ReplicaChange]:
    """Live workloads that will have another number of pods, or that lose the field."""
    for resource in facts.resources:
        key = resource.prediction.key
        if key.group != "apps" or key.kind not in _SCALABLE or resource.action == "replace":
            continue
        if not is_written(resource):
            continue
        found = _replica_change(resource, scalers)
        if found is not None:
            yield found


def _replica_change(resource: ResourceChange, scalers: Scalers) -> ReplicaChange | None:
    prediction = resource.prediction
    key = prediction.key
    found = _live(resource)
    old = _said(prediction.previous)
    before = found if not isinstance(found, Unknown) else (1 if old is None else old)
    new = _said(prediction.new)
    after = replicas_of(key.kind, after_of(resource))
    if after is None or after == before:
        return None
    change = next((one for one in resource.changes if one.path == _PATH), None)
    return ReplicaChange(
        ref=str(key),
        kind=key.kind,
        namespace=key.namespace or "",
        name=key.name,
        live=found,
        before=before,
        after=after,
        old=old,
        new=new,
        cause=change.cause if change else "chart",
        manager=change.manager if change else "",
        value=change.value_path if change else "",
        scaled_by=scalers.of(key),
    )


def _live(resource: ResourceChange) -> int | Unknown:
    live = resource.prediction.live
    if isinstance(live, Present):
        replicas = replicas_of(resource.prediction.key.kind, live.body)
        return replicas if replicas is not None else UNKNOWN
    return UNKNOWN


def _said(document: object) -> int | None:
    value = mapping(document, "spec").get("replicas")
    return value if isinstance(value, int) and not isinstance(value, bool) else None
