"""Workloads of the context: what runs pods, before and after Helm, and whether its pods restart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from helmguard.compare.bookkeeping import is_version_mark
from helmguard.model.field_change import FieldChange
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.objects import Change, changes_of
from helmguard.rules.context.pod_templates import (
    RESTARTING,
    after_of,
    before_of,
    is_workload,
    template_of,
    template_path,
)
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.rollout_steps import NO_STRATEGY, Strategy, steps, strategy_of
from helmguard.rules.context.scalers import Scaler, Scalers
from helmguard.rules.facts import Facts


class Container(Record, frozen=True):
    """A container of the pod template, found by its name on both sides."""

    name: Annotated[str, "its name"]
    init: Annotated[bool, "it is an init container"] = False
    old: Annotated[JSONValue, "the container now, null where there is none"] = None
    new: Annotated[JSONValue, "the container after Helm, null where there is none"] = None


class Workload(Record, frozen=True):
    """An object that runs pods and that Helm creates, changes or deletes."""

    ref: Annotated[str, "its name on the page: `Deployment/web`"]
    kind: Annotated[str, "`Deployment`, `StatefulSet`, `DaemonSet`, `ReplicaSet`, `Job`, `CronJob`, `Pod`, …"]
    group: Annotated[str, "API group, empty for the core one"] = ""
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    action: Annotated[str, "what Helm will do: an action of docs/plan-format.md"] = "update"
    cause: Annotated[str, "why the object enters or leaves the manifest, empty where it does neither"] = ""
    is_live: Annotated[bool | Unknown, "whether it is in the cluster now"] = UNKNOWN
    old_replicas: Annotated[int | None, "pods it asks for now: live, else the previous manifest"] = None
    new_replicas: Annotated[int | None, "pods it asks for after Helm"] = None
    live_pods: Annotated[int | Unknown, "pods that its controller counts now"] = UNKNOWN
    min_ready_seconds: Annotated[int, "seconds each new pod must be ready, after Helm"] = 0
    old_strategy: Annotated[Strategy, "how it replaces pods now"] = NO_STRATEGY
    new_strategy: Annotated[Strategy, "how it replaces pods after Helm"] = NO_STRATEGY
    old_pod: Annotated[JSONValue, "the pod template now (`metadata`, `spec`), null where there is none"] = (
        None
    )
    new_pod: Annotated[JSONValue, "the pod template after Helm, null where there is none"] = None
    template_changes: Annotated[tuple[Change, ...], "fields of the pod template that change"] = ()
    restarts: Annotated[bool, "its pods are replaced by this operation, because the template changes"] = False
    restart_reasons: Annotated[tuple[str, ...], "the fields that do it, without `spec.template.`"] = ()
    only_bookkeeping: Annotated[
        bool, "the pods run as before: only labels and annotations that carry a version or a checksum change"
    ] = False
    steps: Annotated[int, "how many times pods are replaced, one time after the other"] = 0
    containers: Annotated[tuple[Container, ...], "containers and init containers of both sides"] = ()
    scaled_by: Annotated[Scaler | Unknown | None, "the autoscaler that targets it, null for none"] = UNKNOWN


class Workloads(Record, frozen=True):
    """What runs pods."""

    changed: Annotated[tuple[Workload, ...], "those that Helm creates, changes or deletes"] = ()


STAYS = ("unchanged", "keep", "hook")
"""Actions that change nothing, and hooks."""


def workloads_of(facts: Facts) -> Workloads:
    """The workloads that change; hooks are not among them."""
    found = [
        resource
        for resource in facts.resources
        if resource.action not in STAYS and is_workload(resource.prediction.key)
    ]
    if not found:
        return Workloads()
    scalers = Scalers(facts)
    config_changes = changes_config(facts)
    return Workloads(tuple(workload_of(one, scalers, config_changes=config_changes) for one in found))


def changes_config(facts: Facts) -> bool:
    """Whether the content of any ConfigMap or Secret changes, comes or goes."""
    return any(
        resource.action in ("create", "recreate", "delete", "replace")
        or any(change.path[0] in ("data", "binaryData", "stringData") for change in resource.changes)
        for resource in facts.resources
        if resource.prediction.key.kind in ("ConfigMap", "Secret")
    )


def workload_of(resource: ResourceChange, scalers: Scalers, *, config_changes: bool) -> Workload:
    """One workload of the plan as rules see it."""
    prediction = resource.prediction
    key = prediction.key
    before, after = before_of(resource), after_of(resource)
    old_pod, new_pod = template_of(before, key), template_of(after, key)
    old_replicas, new_replicas = replicas_of(key.kind, before), replicas_of(key.kind, after)
    changes = template_changes(resource)
    new_strategy = strategy_of(key.kind, after, new_replicas or 0)
    restarts = restarts_pods(resource, changes, before, after)
    return Workload(
        ref=str(key),
        kind=key.kind,
        group=key.group,
        namespace=key.namespace or "",
        name=key.name,
        action=resource.action,
        cause=resource.cause,
        is_live=is_live(resource),
        old_replicas=old_replicas,
        new_replicas=new_replicas,
        live_pods=_live_pods(resource),
        min_ready_seconds=_number(mapping(after, "spec").get("minReadySeconds")) or 0,
        old_strategy=strategy_of(key.kind, before, old_replicas or 0),
        new_strategy=new_strategy,
        old_pod=old_pod,
        new_pod=new_pod,
        template_changes=changes_of(changes),
        restarts=restarts,
        restart_reasons=_reasons(resource, changes) if restarts else (),
        only_bookkeeping=restarts and is_only_bookkeeping(changes, config_changes=config_changes),
        steps=steps(new_strategy, new_replicas or 0) if restarts else 0,
        containers=tuple(containers_of(old_pod, new_pod)),
        scaled_by=scalers.of(key),
    )


def is_live(resource: ResourceChange) -> bool | Unknown:
    """Whether the object is in the cluster now."""
    live = resource.prediction.live
    return UNKNOWN if isinstance(live, Unreadable) else isinstance(live, Present)


def replicas_of(kind: str, body: JSONObject | None) -> int | None:
    """How many pods the object asks for; a DaemonSet's is what its controller last counted."""
    if body is None:
        return None
    if kind == "DaemonSet":
        return _number(mapping(body, "status").get("desiredNumberScheduled"))
    if kind == "Pod":
        return 1
    if kind in ("Job", "CronJob"):
        spec = mapping(body, "spec") if kind == "Job" else mapping(body, "spec", "jobTemplate", "spec")
        return _number(spec.get("parallelism", 1))
    return _number(mapping(body, "spec").get("replicas", 1))


def template_changes(resource: ResourceChange) -> tuple[FieldChange, ...]:
    """Changes of the pod template, those included that a configuration ignores: they restart pods, too."""
    path = template_path(resource.prediction.key)
    ignored = [item.change for item in resource.ignored if item.kind == "change"]
    return tuple(change for change in (*resource.changes, *ignored) if change.path[: len(path)] == path)


def restarts_pods(
    resource: ResourceChange,
    changes: tuple[FieldChange, ...],
    before: JSONObject | None,
    after: JSONObject | None,
) -> bool:
    """Whether running pods are replaced: by their controller, or because Helm replaces the object."""
    kind = resource.prediction.key.kind
    if before is None or after is None or resource.action == "fail":
        return False
    if resource.action == "replace":
        return kind in (*RESTARTING, "ReplicaSet", "Pod")
    if kind not in RESTARTING or not changes or mapping(after, "spec").get("paused") is True:
        return False
    return mapping(after, "spec", "updateStrategy").get("type") != "OnDelete"


def is_only_bookkeeping(changes: tuple[FieldChange, ...], *, config_changes: bool) -> bool:
    """Whether nothing changes that a pod would notice.

    A checksum of configuration counts only where no configuration changes.
    """
    return bool(changes) and all(
        is_version_mark(change.path)
        or (_is_metadata(change.path) and change.cause == "unstable")
        or (is_checksum(change.path) and not config_changes)
        for change in changes
    )


def is_checksum(path: FieldPath) -> bool:
    """Whether the field is an annotation by which charts restart pods when configuration changes."""
    return path[-2:-1] == ("annotations",) and "checksum" in str(path[-1]).lower()


def containers_of(old: JSONObject | None, new: JSONObject | None) -> Iterator[Container]:
    """Containers of both templates, paired by name."""
    for field in ("initContainers", "containers"):
        before = {str(item.get("name")): item for item in items(old, "spec", field)}
        after = {str(item.get("name")): item for item in items(new, "spec", field)}
        for name in dict.fromkeys([*before, *after]):
            yield Container(name, field == "initContainers", before.get(name), after.get(name))


def _reasons(resource: ResourceChange, changes: tuple[FieldChange, ...]) -> tuple[str, ...]:
    if resource.action == "replace":
        return ("the object is replaced",)
    skipped = len(template_path(resource.prediction.key))
    return tuple(dict.fromkeys(format_path(change.path[skipped:]) for change in changes))


def _is_metadata(path: FieldPath) -> bool:
    return len(path) > 2 and path[-2] in ("labels", "annotations") and path[-3] == "metadata"


def _live_pods(resource: ResourceChange) -> int | Unknown:
    live = resource.prediction.live
    if not isinstance(live, Present):
        return UNKNOWN
    field = "currentNumberScheduled" if resource.prediction.key.kind == "DaemonSet" else "replicas"
    return _number(mapping(live.body, "status").get(field)) or 0


def _number(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
