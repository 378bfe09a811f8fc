"""The NVIDIA GPU Operator: what a change of its ClusterPolicy starts, stops or changes on the nodes.

How the operator acts on each field: NVIDIA/gpu-operator@v26.3.3 controllers/state_manager.go,
controllers/object_controls.go and controllers/upgrade_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.model.field_path import format_path
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.gpu_composition import Component, composition
from helmguard.rules.context.gpu_nodes import GpuNode, GpuPod, gpu_nodes, gpu_pods
from helmguard.rules.context.gpu_runtimes import nodes_with_runtimes
from helmguard.rules.context.manifest_maps import mapping, maps_in
from helmguard.rules.context.pod_templates import after_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts

GROUP, KIND = "nvidia.com", "ClusterPolicy"


class PolicyChange(Record, frozen=True):
    """One field of the ClusterPolicy's spec that is another one after the operation."""

    field: Annotated[str, "where in the spec: `driver.enabled`"]
    before: Annotated[JSONValue, "live before; null for absent"] = None
    after: Annotated[JSONValue, "predicted after; null for absent"] = None
    value: Annotated[str, "the values path that the change was traced to, empty where it was not"] = ""
    cause: Annotated[str, "why it changes: a cause of docs/plan-format.md"] = "chart"


class ForeignDiscovery(Record, frozen=True):
    """A Node Feature Discovery that is not this release's."""

    ref: Annotated[str, "`namespace/DaemonSet`"]
    release: Annotated[str, "the Helm release whose marks it bears, empty for none"] = ""


class Gpu(Record, frozen=True):
    """The operator's ClusterPolicy and the nodes that it acts on."""

    ref: Annotated[str, "the ClusterPolicy: `ClusterPolicy/cluster-policy`; empty where there is none"] = ""
    before: Annotated[JSONValue, "its spec now: live, else of the old manifest; null for none"] = None
    after: Annotated[JSONValue, "its spec after Helm; null for none"] = None
    changes: Annotated[tuple[PolicyChange, ...], "fields of the spec that change"] = ()
    deleted: Annotated[bool, "Helm deletes it"] = False
    created: Annotated[bool, "Helm creates it"] = False
    others: Annotated[tuple[str, ...], "further ClusterPolicies after the operation, by name"] = ()
    upgrades_definitions: Annotated[bool, "a hook of this operation applies the operator's definitions"] = (
        False
    )
    ships_definitions: Annotated[bool, "the chart has the operator's definitions in crds/"] = False
    discovery_before: Annotated[bool, "the old manifest brings Node Feature Discovery"] = False
    discovery_after: Annotated[bool, "the new manifest brings Node Feature Discovery"] = False
    lost_tolerations: Annotated[tuple[str, ...], "keys of taints that operands tolerate now only"] = ()
    skipped_lines: Annotated[tuple[str, ...], "release lines between the two charts: `25.10`"] = ()
    composition: Annotated[
        tuple[Component, ...] | Unknown, "pods of each component once all is well after the operation"
    ] = UNKNOWN
    pods_expected: Annotated[int | Unknown, "the sum of these"] = UNKNOWN
    nodes: Annotated[tuple[GpuNode, ...] | Unknown, "nodes with GPUs"] = UNKNOWN
    pods: Annotated[tuple[GpuPod, ...] | Unknown, "pods that use GPUs"] = UNKNOWN
    foreign_discoveries: Annotated[
        tuple[ForeignDiscovery, ...] | Unknown, "Node Feature Discoveries that are not this release's"
    ] = UNKNOWN
    runtime_classes: Annotated[tuple[str, ...] | Unknown, "RuntimeClasses of NVIDIA's handlers"] = UNKNOWN
    sandbox_failures: Annotated[
        tuple[str, ...] | Unknown, "pods with an event that their runtime is not configured, and its text"
    ] = UNKNOWN
    stuck_pods: Annotated[tuple[str, ...] | Unknown, "operands that hang before they start"] = UNKNOWN


def gpu_of(facts: Facts) -> Gpu:
    """The operator as the plan sees it."""
    policies = [one for one in facts.resources if _is_policy(one) and one.action != "hook"]
    main = next((one for one in policies if one.prediction.previous is not None), None)
    main = main or next(iter(policies), None)
    cluster, namespace = facts.cluster, facts.release.namespace
    after = _spec(after_of(main)) if main is not None else None
    nodes = nodes_with_runtimes(facts.node_side.nodes, cluster, after or _before(main))
    expected = _composition(main, facts)
    hooks = "" if facts.around.options.no_hooks else " ".join(str(hook.body) for hook in facts.around.hooks)
    return Gpu(
        ref=str(main.prediction.key) if main is not None else "",
        before=_before(main),
        after=after,
        changes=tuple(_changes(main)) if main is not None else (),
        deleted=main is not None and _is_deleted(main),
        created=main is not None and main.action in ("create", "recreate"),
        others=tuple(one.prediction.key.name for one in policies if one is not main and _stays(one)),
        upgrades_definitions="nvidia.com_clusterpolicies" in hooks or "upgrade-crd" in hooks,
        ships_definitions=any(state.name.endswith(".nvidia.com") for state in facts.around.definitions),
        discovery_before=any(_is_discovery(one.prediction.previous) for one in facts.resources),
        discovery_after=any(_is_discovery(_after(one)) for one in facts.resources),
        lost_tolerations=tuple(_lost_tolerations(main)),
        skipped_lines=tuple(_skipped_lines(facts)),
        composition=expected,
        pods_expected=expected if isinstance(expected, Unknown) else sum(one.pods for one in expected),
        nodes=nodes,
        pods=gpu_pods(cluster, namespace),
        foreign_discoveries=_foreign_discoveries(facts),
        runtime_classes=_runtime_classes(facts),
        sandbox_failures=_sandbox_failures(facts),
        stuck_pods=_stuck_pods(facts),
    )


def _composition(policy: ResourceChange | None, facts: Facts) -> tuple[Component, ...] | Unknown:
    nodes, with_gpus = facts.cluster.lists.get("nodes"), gpu_nodes(facts.cluster)
    after = _spec(after_of(policy)) if policy is not None else None
    if nodes is None or isinstance(with_gpus, Unknown) or after is None:
        return UNKNOWN
    return composition(after, facts.resources, nodes, with_gpus)


def _is_policy(resource: ResourceChange) -> bool:
    key = resource.prediction.key
    return key.group == GROUP and key.kind == KIND


def _stays(resource: ResourceChange) -> bool:
    return after_of(resource) is not None


def _is_deleted(resource: ResourceChange) -> bool:
    """Also where its live annotations could not be read, which might keep it."""
    prediction = resource.prediction
    leaves = prediction.new is None and isinstance(prediction.live, Unreadable)
    return resource.action == "delete" or (leaves and resource.action != "keep")


def _after(resource: ResourceChange) -> JSONObject | None:
    """What stays is there, too: what is kept, and all of it where the new manifest cannot be rendered."""
    prediction = resource.prediction
    leaves = _is_deleted(resource)
    return prediction.previous if prediction.new is None and not leaves else prediction.new


def _before(resource: ResourceChange | None) -> JSONValue:
    if resource is None:
        return None
    live = resource.prediction.live
    return _spec(live.body if isinstance(live, Present) else resource.prediction.previous)


def _spec(body: JSONObject | None) -> JSONValue:
    return mapping(body.get("spec")) if body is not None else None


def _changes(resource: ResourceChange) -> Iterator[PolicyChange]:
    for change in resource.changes:
        if change.path[:1] == ("spec",) and len(change.path) > 1:
            yield PolicyChange(
                field=format_path(change.path[1:]),
                before=change.before or None if not isinstance(change.before, bool | int) else change.before,
                after=change.after or None if not isinstance(change.after, bool | int) else change.after,
                value=change.value_path,
                cause=change.cause,
            )


def _lost_tolerations(resource: ResourceChange | None) -> Iterator[str]:
    """Keys that the old list tolerates and the new one does not; a toleration without a key is for all."""
    if resource is None or after_of(resource) is None:
        return
    after = _tolerated(_spec(after_of(resource)))
    if "" not in after:
        yield from sorted(_tolerated(_before(resource)) - after - {""})


def _tolerated(spec: JSONValue) -> set[str]:
    tolerations = mapping(mapping(spec).get("daemonsets")).get("tolerations")
    return {str(one.get("key") or "") for _, one in maps_in(tolerations)}


_LINES = ("23.3", "23.6", "23.9", "24.3", "24.6", "24.9", "25.3", "25.10", "26.3", "26.7")
"""The operator's release lines (tags of NVIDIA/gpu-operator)."""


def _skipped_lines(facts: Facts) -> Iterator[str]:
    old = facts.release.chart
    if old is None or old.name != "gpu-operator" or facts.release.new_chart.name != old.name:
        return
    before, after = _line(old.version), _line(facts.release.new_chart.version)
    if before in _LINES and after in _LINES:
        yield from _LINES[_LINES.index(before) + 1 : _LINES.index(after)]


def _line(version: str) -> str:
    return ".".join(version.removeprefix("v").split(".")[:2])


def _is_discovery(body: JSONObject | None) -> bool:
    """Whether the object is the worker of Node Feature Discovery."""
    if body is None or body.get("kind") != "DaemonSet":
        return False
    name = str(mapping(body.get("metadata")).get("name") or "")
    template = mapping(mapping(mapping(body.get("spec")).get("template")).get("spec"))
    images = [str(one.get("image") or "") for _, one in maps_in(template.get("containers"))]
    return (
        "node-feature-discovery" in name
        or "nfd-worker" in name
        or any("node-feature-discovery" in image for image in images)
    )


def _foreign_discoveries(facts: Facts) -> tuple[ForeignDiscovery, ...] | Unknown:
    found = facts.cluster.lists.get("allDaemonSets")
    if found is None:
        return UNKNOWN
    own = {
        (one.prediction.key.namespace, one.prediction.key.name)
        for one in facts.resources
        if one.prediction.key.kind == "DaemonSet"
    }
    return tuple(
        ForeignDiscovery(
            f"{metadata.get('namespace')}/{metadata.get('name')}",
            str(mapping(metadata.get("annotations")).get("meta.helm.sh/release-name") or ""),
        )
        for body in found
        if _is_discovery({"kind": "DaemonSet", **body})
        and ((metadata := mapping(body.get("metadata"))).get("namespace"), metadata.get("name")) not in own
    )


def _runtime_classes(facts: Facts) -> tuple[str, ...] | Unknown:
    found = facts.cluster.lists.get("runtimeClasses")
    if found is None:
        return UNKNOWN
    return tuple(
        str(mapping(one.get("metadata")).get("name"))
        for one in found
        if str(one.get("handler") or "").startswith("nvidia")
    )


def _sandbox_failures(facts: Facts) -> tuple[str, ...] | Unknown:
    """Events of the release's namespace about pods that are still there and do not run."""
    events, pods = facts.cluster.lists.get("events"), facts.cluster.lists.get("pods")
    if events is None or pods is None:
        return UNKNOWN
    waiting = {
        str(mapping(pod.get("metadata")).get("name"))
        for pod in pods
        if mapping(pod.get("status")).get("phase") != "Running"
    }
    told: dict[str, str] = {}
    for event in events:
        message = str(event.get("message") or event.get("note") or "")
        about = mapping(event.get("involvedObject") or event.get("regarding"))
        if "no runtime for" in message and str(about.get("name")) in waiting:
            told[str(about.get("name"))] = message
    return tuple(f"{name}: {message}" for name, message in sorted(told.items()))


def _stuck_pods(facts: Facts) -> tuple[str, ...] | Unknown:
    pods = facts.cluster.lists.get("pods")
    if pods is None:
        return UNKNOWN
    return tuple(
        str(mapping(pod.get("metadata")).get("name"))
        for pod in pods
        if mapping(pod.get("status")).get("phase") == "Pending"
        and mapping(pod.get("spec")).get("nodeName")
        and any(
            "nvidia" in str(one.get("image") or "")
            for _, one in maps_in(mapping(pod.get("spec")).get("containers"))
        )
    )
