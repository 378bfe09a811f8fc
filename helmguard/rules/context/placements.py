"""Nodes that pods of the release could run on, beside what the cluster has.

The scheduler's filters for labels, taints and room (kubernetes/kubernetes@v1.36.3
pkg/scheduler/framework/plugins: nodeaffinity, tainttoleration, noderesources, nodeunschedulable).
What other pods already use is not counted: a node that is full today may be free tomorrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.quantity import number_of
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_templates import after_of
from helmguard.rules.context.quotas import pod_amounts
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.workloads import Workload
from helmguard.rules.facts import Facts


class Placement(Record, frozen=True):
    """A workload that comes, or whose pods are asked to run elsewhere or in more room than before."""

    ref: Annotated[str, "`Deployment/web`"]
    kind: Annotated[str, "its kind"] = "Deployment"
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    created: Annotated[bool, "this operation creates it"] = False
    wants: Annotated[tuple[str, ...], "what its pods ask of a node: `nodeSelector gpu=true`, `cpu 4`"] = ()
    nodes: Annotated[int | Unknown, "nodes of the cluster"] = UNKNOWN
    fitting: Annotated[int | Unknown, "nodes whose labels, taints and size let its pods in"] = UNKNOWN
    fitting_before: Annotated[int | Unknown, "the same for its pods as they are now, 0 for none"] = UNKNOWN
    discovered: Annotated[bool, "it selects labels that a discovery of features sets on nodes"] = False
    runtime_class: Annotated[str, "its RuntimeClass where that is new, else empty"] = ""
    runtime_class_exists: Annotated[bool | Unknown, "that class is there"] = True
    priority_class: Annotated[str, "its PriorityClass where that is new, else empty"] = ""
    priority_class_exists: Annotated[bool | Unknown, "that class is there"] = True


def placements(workloads: Iterable[Workload], facts: Facts) -> Iterator[Placement]:
    """Workloads with new demands on nodes; with the nodes known also those that ask for some more."""
    nodes = facts.cluster.lists.get("nodes")
    for one in workloads:
        if one.new_pod is None or one.new_replicas == 0:
            continue
        old, new = mapping(one.old_pod, "spec"), mapping(one.new_pod, "spec")
        moved = _is_narrower(old, new)
        bigger = _room(one.new_pod) != _room(one.old_pod)
        if not (moved or _is_far_bigger(one.old_pod, one.new_pod) or (bigger and nodes is not None)):
            continue
        runtime = _new_name("runtimeClassName", old, new)
        priority = _new_name("priorityClassName", old, new)
        yield Placement(
            ref=one.ref,
            kind=one.kind,
            namespace=one.namespace,
            name=one.name,
            created=one.old_pod is None,
            wants=tuple(_wants(one.new_pod)),
            nodes=len(nodes) if nodes is not None else UNKNOWN,
            fitting=_fitting(one.new_pod, one.kind, nodes),
            fitting_before=_fitting(one.old_pod, one.kind, nodes),
            discovered=any(name.startswith(_DISCOVERED) for name in _selected_labels(new)),
            runtime_class=runtime,
            runtime_class_exists=_exists("RuntimeClass", "runtimeClasses", runtime, facts),
            priority_class=priority,
            priority_class_exists=_exists("PriorityClass", "priorityClasses", priority, facts),
        )


_DISCOVERED = (
    "feature.node.kubernetes.io/",
    "nvidia.com/",
    "gpu.intel.com/",
    "amd.com/",
    "intel.feature.node",
)


def _is_narrower(old: JSONObject, new: JSONObject) -> bool:
    """Whether the pods may run on fewer nodes, or under a class that they did not name."""
    labels = mapping(old, "nodeSelector")
    selected = {**mapping(new, "nodeSelector")}
    if selected.get(_OS) == "linux":
        del selected[_OS]
    if any(labels.get(name) != value for name, value in selected.items()):
        return True
    required = _required(new)
    if required and required != _required(old):
        return True
    tolerated = items(new, "tolerations")
    if any(toleration not in tolerated for toleration in items(old, "tolerations")):
        return True
    names = (_new_name(field, old, new) for field in ("runtimeClassName", "priorityClassName"))
    return any(name and not name.startswith("system-") for name in names)


def _is_far_bigger(old: Any, new: JSONObject) -> bool:
    """Whether pods that were there ask for more than twice as much, or for a device that is new to them."""
    if old is None:
        return False
    before = _room(old)
    return any(
        value > 2 * before.get(name, 0) for name, value in _room(new).items() if name in before or "/" in name
    )


_OS = "kubernetes.io/os"


def _required(spec: JSONObject) -> JSONObject:
    return mapping(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")


def _new_name(field: str, old: JSONObject, new: JSONObject) -> str:
    return str(new[field]) if new.get(field) and new.get(field) != old.get(field) else ""


def _exists(kind: str, fact: str, name: str, facts: Facts) -> bool | Unknown:
    if not name or name.startswith("system-"):
        return True
    for resource in facts.resources:
        key = resource.prediction.key
        if (key.kind, key.name) == (kind, name):
            return after_of(resource) is not None
    live = facts.cluster.lists.get(fact)
    if live is None:
        return UNKNOWN
    return any(mapping(body, "metadata").get("name") == name for body in live)


def _fitting(template: Any, kind: str, nodes: tuple[JSONObject, ...] | None) -> int | Unknown:
    if nodes is None:
        return UNKNOWN
    if template is None:
        return 0
    return sum(fits(template, kind, node) for node in nodes)


def fits(template: JSONObject, kind: str, node: JSONObject) -> bool:
    labels = mapping(node, "metadata", "labels")
    spec = mapping(template, "spec")
    if any(labels.get(name) != str(value) for name, value in mapping(spec, "nodeSelector").items()):
        return False
    terms = items(_required(spec), "nodeSelectorTerms")
    if terms and not any(_term_holds(term, node) for term in terms):
        return False
    tolerations = items(spec, "tolerations")
    for taint in items(node, "spec", "taints"):
        if kind == "DaemonSet" and taint.get("key") in _TOLERATED_BY_DAEMONS:
            continue
        if taint.get("effect") in ("NoSchedule", "NoExecute") and not _tolerated(taint, tolerations):
            return False
    room = mapping(node, "status", "allocatable")
    return all(not room or number_of(room.get(name)) >= value for name, value in _room(template).items())


_TOLERATED_BY_DAEMONS = frozenset(
    f"node.kubernetes.io/{name}"
    for name in (
        "not-ready",
        "unreachable",
        "disk-pressure",
        "memory-pressure",
        "pid-pressure",
        "unschedulable",
        "network-unavailable",
    )
)
"""kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/util (AddOrUpdateDaemonPodTolerations)."""


def _term_holds(term: JSONObject, node: JSONObject) -> bool:
    labels = mapping(node, "metadata", "labels")
    fields = {"metadata.name": mapping(node, "metadata").get("name")}
    expressions, by_field = items(term, "matchExpressions"), items(term, "matchFields")
    if not expressions and not by_field:
        return False
    return all(_holds(rule, labels) for rule in expressions) and all(
        _holds(rule, fields) for rule in by_field
    )


def _holds(rule: JSONObject, labels: JSONObject) -> bool:
    name, values = str(rule.get("key")), rule.get("values") or []
    match rule.get("operator"):
        case "In":
            return labels.get(name) in values
        case "NotIn":
            return labels.get(name) not in values
        case "Exists":
            return name in labels
        case "DoesNotExist":
            return name not in labels
        case "Gt":
            return _whole(labels.get(name), default=-1) > _whole(values[0], default=0) if values else False
        case "Lt":
            known = name in labels and bool(values)
            return known and _whole(labels[name], default=0) < _whole(values[0], default=0)
        case _:
            return False


def _tolerated(taint: JSONObject, tolerations: list[JSONObject]) -> bool:
    for one in tolerations:
        if one.get("effect") and one.get("effect") != taint.get("effect"):
            continue
        if not one.get("key"):
            if one.get("operator") == "Exists":
                return True
            continue
        if one.get("key") == taint.get("key"):
            same = (one.get("value") or "") == (taint.get("value") or "")
            if one.get("operator") == "Exists" or same:
                return True
    return False


def _room(template: Any) -> dict[str, float]:
    if template is None:
        return {}
    found = pod_amounts(template)
    return {
        name.removeprefix("requests."): value
        for name, value in found.items()
        if name.startswith("requests.") and value
    }


def _wants(template: JSONObject) -> Iterator[str]:
    spec = mapping(template, "spec")
    selected = mapping(spec, "nodeSelector")
    if selected:
        yield "nodeSelector " + ",".join(f"{name}={value}" for name, value in sorted(selected.items()))
    if _required(spec):
        yield "a required node affinity"
    for name, value in sorted(_room(template).items()):
        yield f"{name} {value / 2**30:.1f}Gi" if name == "memory" else f"{name} {value:g}"


def _selected_labels(spec: JSONObject) -> Iterator[str]:
    yield from mapping(spec, "nodeSelector")
    for term in items(_required(spec), "nodeSelectorTerms"):
        for rule in items(term, "matchExpressions"):
            yield str(rule.get("key"))


def _whole(value: Any, *, default: int) -> int:
    text = str(value)
    return int(text) if text.lstrip("-").isdigit() else default
