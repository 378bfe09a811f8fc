"""What a plan asks of the nodes below Kubernetes: the RuntimeClasses that it brings or uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from helmguard.manifest.hooks import OPERATION_EVENTS, hooks_for, hooks_of
from helmguard.model.json_value import JSONObject
from helmguard.model.judged_node import JudgedNode
from helmguard.model.plan import Plan, ResourceChange, Unknown
from helmguard.model.resource_key import ResourceKey
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.policy_handlers import brought_layers, policy_change, policy_handlers, relies_on_cdi
from helmguard.rules.context.handler_nodes import matched_facts
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.pod_templates import after_of, is_workload, template_of
from helmguard.rules.node_side import NodeSide, WantedHandler

_LIST = "cluster.runtimeClasses"
_LEFT = ("unchanged", "keep", "delete", "hook")
"""What becomes of objects that the operation does not write."""


def node_side_of(plan: Plan, inputs: PlanInputs) -> NodeSide:
    """What the rules about nodes judge in this plan.

    ``wanted`` is empty where the release has nothing to do with RuntimeClasses: no rule about nodes is asked
    then, and none for drift, which changes nothing.
    """
    if plan.release.to_revision is None:
        return NodeSide()
    policy = policy_change(plan)
    wanted = _merged((*_brought(plan), *_named(plan, inputs), *policy_handlers(policy, inputs.cluster)))
    return NodeSide(
        nodes=_of_cluster(inputs) if wanted or policy is not None else (),
        cluster=inputs.cluster,
        wanted=wanted,
        in_plan=True,
        cdi_wanted_by=relies_on_cdi(policy),
        brings=tuple(brought_layers(policy)),
    )


def strange_facts(side: NodeSide, inputs: PlanInputs) -> Iterator[Unknown]:
    """Facts that were given and are of no node of the cluster: they may be of another one."""
    if side.wanted and "nodes" in inputs.cluster.lists:
        known = {node.facts.name for node in side.nodes}
        for node in inputs.nodes:
            if node.facts.name not in known:
                yield Unknown(
                    f"facts of {node.facts.name}", "no node of the cluster has this name or hostname"
                )


def _of_cluster(inputs: PlanInputs) -> tuple[JudgedNode, ...]:
    """The nodes whose facts are given, without strangers where the cluster's nodes were read."""
    bodies = inputs.cluster.lists.get("nodes")
    if bodies is None:
        return inputs.nodes
    return tuple(matched_facts(inputs.nodes, bodies).values())


def facts_for_nodes(plan: Plan, inputs: PlanInputs) -> frozenset[str]:
    """What has to be read to know the handlers: the RuntimeClasses that only their names are known of."""
    own = {resource.prediction.key.name for resource in plan.resources if _is_class(resource)}
    names = {name for name, _ in _users(plan, inputs)}
    known = "runtimeClasses" in inputs.cluster.lists or "runtimeClasses" in inputs.cluster.unread
    return frozenset() if known or names <= own else frozenset([_LIST])


def _brought(plan: Plan) -> Iterator[WantedHandler]:
    """RuntimeClasses of the release itself that come or change."""
    for resource in plan.resources:
        body = after_of(resource)
        if _is_class(resource) and _is_written(resource) and body is not None:
            yield _wanted(body, "this release", ())


def _named(plan: Plan, inputs: PlanInputs) -> Iterator[WantedHandler]:
    """RuntimeClasses that the release's pods name, with the workloads that do.

    One that is nowhere has no handler: other rules tell of that.
    """
    users: dict[str, list[_User]] = {}
    for name, user in _users(plan, inputs):
        users.setdefault(name, []).append(user)
    own = {
        resource.prediction.key.name: body
        for resource in plan.resources
        if _is_class(resource) and (body := after_of(resource)) is not None
    }
    live = inputs.cluster.lists.get("runtimeClasses")
    others = {str(mapping(body, "metadata").get("name")): body for body in live or ()}
    for name, found in users.items():
        body = own.get(name) or others.get(name)
        if body is not None:
            yield _wanted(body, "this release" if name in own else "live", found)
        elif live is None:
            yield _wanted({"metadata": {"name": name}}, "live", found)


class _User(msgspec.Struct, frozen=True):
    """A workload that names a RuntimeClass; ``selector`` is its pods' nodeSelector."""

    ref: str
    selector: JSONObject


def _users(plan: Plan, inputs: PlanInputs) -> Iterator[tuple[str, _User]]:
    """Each RuntimeClass that a pod template names which comes or changes, and who does."""
    for resource in plan.resources:
        key = resource.prediction.key
        if is_workload(key) and _is_written(resource):
            yield from _user(key, after_of(resource))
    for key, body in _hooks(inputs):
        if is_workload(key):
            yield from _user(key, body)


def _hooks(inputs: PlanInputs) -> Iterator[tuple[ResourceKey, JSONObject]]:
    if inputs.options.no_hooks:
        return
    hooks = hooks_of(inputs.new.hooks)
    for event in OPERATION_EVENTS.get(inputs.operation, ()):
        for hook in hooks_for(event, hooks):
            one = hook.object
            yield ResourceKey.of(one.api_version, one.kind, one.namespace, one.name), one.body


def _user(key: ResourceKey, body: JSONObject | None) -> Iterator[tuple[str, _User]]:
    pod = mapping(template_of(body, key), "spec")
    name = pod.get("runtimeClassName")
    if isinstance(name, str) and name:
        yield name, _User(str(key), mapping(pod, "nodeSelector"))


def _wanted(body: JSONObject, by: str, users: Sequence[_User]) -> WantedHandler:
    """Only nodes matter that the class selects, and all of its users."""
    selector = {**mapping(body, "scheduling", "nodeSelector")}
    for key, value in users[0].selector.items() if users else ():
        if all(user.selector.get(key) == value for user in users):
            selector.setdefault(key, value)
    return WantedHandler(
        name=str(mapping(body, "metadata").get("name") or ""),
        handler=str(body.get("handler") or ""),
        by=by,
        node_selector=tuple((str(key), str(value)) for key, value in selector.items()),
        used_by=tuple(dict.fromkeys(user.ref for user in users)),
    )


def _merged(wanted: Iterable[WantedHandler]) -> tuple[WantedHandler, ...]:
    """Each class once: what is known last of it, and all who use it."""
    found: dict[str, WantedHandler] = {}
    for one in wanted:
        before = found.get(one.name)
        if before is not None:
            one = replace(one, used_by=tuple(dict.fromkeys([*before.used_by, *one.used_by])))
        found[one.name] = one
    return tuple(found.values())


def _is_written(resource: ResourceChange) -> bool:
    """Whether it comes or changes; where nothing live is known, whether the manifests differ in it."""
    prediction = resource.prediction
    if resource.action == "unknown":
        return prediction.previous != prediction.new
    return resource.action not in _LEFT


def _is_class(resource: ResourceChange) -> bool:
    key = resource.prediction.key
    return (key.group, key.kind) == ("node.k8s.io", "RuntimeClass") and resource.action != "hook"
