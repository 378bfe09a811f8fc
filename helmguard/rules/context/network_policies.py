"""NetworkPolicies that hold less back than before, and the pods that this opens.

A pod that no policy selects for a direction is open in it; else it may be reached by whatever one of them
allows (kubernetes/api networking/v1 types.go).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.plan import ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.named_objects import NETWORKING
from helmguard.rules.context.pod_templates import after_of, before_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.references import is_own, live_key, own_names
from helmguard.rules.context.selectors import pod_labels_of, selects
from helmguard.rules.facts import Facts

INGRESS, EGRESS = "Ingress", "Egress"


class LoosenedPolicy(Record, frozen=True):
    """One direction of one policy that changes or comes, and holds less back."""

    ref: Annotated[str, "`NetworkPolicy/web`"]
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    direction: Annotated[str, "`Ingress` or `Egress`"] = INGRESS
    how: Annotated[
        str,
        "`type dropped`: it says nothing about the direction any more; `all allowed`: one of its rules "
        "lets everybody through, on some ports or all; `selector narrowed`: it selects other pods; "
        "`peers wider`: a rule allows more than before",
    ] = "all allowed"
    before: Annotated[str, "what it said, in short"] = ""
    after: Annotated[str, "what it says, in short"] = ""
    cause: Annotated[str, "why it changes: a cause of docs/plan-format.md"] = "chart"
    every_pod: Annotated[bool, "it selected every pod of the namespace, those of others, too"] = False
    pods: Annotated[
        tuple[str, ...], "workloads of the release that are more open to everybody than before"
    ] = ()
    held: Annotated[
        tuple[str, ...], "workloads of the release that it selected, and that are not more open than before"
    ] = ()
    held_outside: Annotated[
        tuple[str, ...] | Unknown,
        "live policies outside the release that hold all of `pods` closed, where it selects them no more",
    ] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "the fact without which `heldOutside` is not known"] = ()


class _Policy(msgspec.Struct, frozen=True):
    key: ResourceKey
    body: JSONObject

    @property
    def selector(self) -> JSONObject:
        return mapping(self.body, "spec", "podSelector")

    def directions(self) -> frozenset[str]:
        """Without ``policyTypes``: ingress always, egress where it has rules for it."""
        spec = mapping(self.body, "spec")
        types = spec.get("policyTypes")
        if isinstance(types, list) and types:
            return frozenset(str(one) for one in types)
        return frozenset([INGRESS, EGRESS] if spec.get("egress") else [INGRESS])

    def rules(self, direction: str) -> list[JSONObject]:
        """The rules of a direction; an empty one allows everybody."""
        spec = mapping(self.body, "spec")
        found = spec.get(direction.lower())
        return [rule if isinstance(rule, dict) else {} for rule in found] if isinstance(found, list) else []

    def openness(self, direction: str) -> int:
        """2 where one of its rules lets everybody through on every port, 1 on some ports, else 0."""
        rules = [rule for rule in self.rules(direction) if not peers_of(rule, direction)]
        return max((1 if rule.get("ports") else 2 for rule in rules), default=0)

    def selects(self, labels: JSONObject, direction: str) -> bool:
        return direction in self.directions() and selects(self.selector, labels)


def peers_of(rule: JSONObject, direction: str) -> list[JSONObject]:
    """Whom a rule is about; none is everybody."""
    return items(rule, "from" if direction == INGRESS else "to")


def loosened_policies(facts: Facts) -> Iterator[LoosenedPolicy]:
    """Policies that change or come; of one that is deleted, delete-protection-objects tells."""
    touched = [
        resource
        for resource in facts.resources
        if _is_policy(resource.prediction.key) and resource.action not in _STAYS
    ]
    if not touched:
        return
    old, new = _policies(facts.resources, before_of), _policies(facts.resources, after_of)
    workloads = [(str(key), key.namespace, was, will) for key, was, will in _workloads(facts)]
    for resource in touched:
        key, body = resource.prediction.key, after_of(resource)
        if body is None:
            continue
        before, after = before_of(resource), _Policy(key, body)
        for direction in (INGRESS, EGRESS):
            how = _how(_Policy(key, before) if before is not None else None, after, direction)
            if not how:
                continue
            selected = [
                (ref, was, will)
                for ref, place, was, will in workloads
                if place == key.namespace
                and was is not None
                and (before is None or _Policy(key, before).selects(was, direction))
            ]
            around = [[one for one in side if one.key.namespace == key.namespace] for side in (old, new)]
            opened = [
                (ref, will)
                for ref, was, will in selected
                if _openness(was, direction, around[0]) < _openness(will, direction, around[1])
            ]
            names = {ref for ref, _ in opened}
            outside: tuple[str, ...] | Unknown = ()
            if how in _SELECTS_LESS:
                outside = _held_outside(facts, key.namespace, [labels for _, labels in opened], direction)
            yield LoosenedPolicy(
                ref=str(key),
                namespace=key.namespace or "",
                name=key.name,
                direction=direction,
                how=how,
                before=_in_short(_Policy(key, before), direction) if before is not None else "",
                after=_in_short(after, direction),
                cause=_cause(resource),
                every_pod=before is not None and not _Policy(key, before).selector,
                pods=tuple(ref for ref, _ in opened),
                held=tuple(ref for ref, _, _ in selected if ref not in names),
                held_outside=outside,
                lacks=("cluster.networkPolicies",) if outside is UNKNOWN else (),
            )


_SELECTS_LESS = ("type dropped", "selector narrowed")
_STAYS = ("hook", "unchanged", "delete", "keep")


def _is_policy(key: ResourceKey) -> bool:
    return (key.group, key.kind) == (NETWORKING, "NetworkPolicy")


def _policies(resources: Iterable[ResourceChange], side: object) -> list[_Policy]:
    found = []
    for resource in resources:
        key = resource.prediction.key
        if _is_policy(key):
            body = (before_of if side is before_of else after_of)(resource)
            if body is not None:
                found.append(_Policy(key, body))
    return found


def _workloads(facts: Facts) -> Iterator[tuple[ResourceKey, JSONObject | None, JSONObject]]:
    """Workloads that stay, with the labels of their pods before and after."""
    for resource in facts.resources:
        after = after_of(resource)
        if resource.action in ("hook", "delete", "keep") or after is None:
            continue
        labels = pod_labels_of(after)
        if labels is not None:
            before = before_of(resource)
            yield resource.prediction.key, pod_labels_of(before) if before is not None else None, labels


def _how(before: _Policy | None, after: _Policy, direction: str) -> str:
    if before is None:
        return "all allowed" if direction in after.directions() and after.openness(direction) else ""
    if direction not in before.directions():
        return ""
    if direction not in after.directions():
        return "type dropped"
    if after.openness(direction) > before.openness(direction):
        return "all allowed"
    if after.selector != before.selector and after.selector:
        return "selector narrowed"
    return "peers wider" if _is_wider(before.rules(direction), after.rules(direction), direction) else ""


def _is_wider(before: list[JSONObject], after: list[JSONObject], direction: str) -> bool:
    """Whether a rule allows something that no rule allowed before."""
    return any(not any(_covers(old, new, direction) for old in before) for new in after)


def _covers(wide: JSONObject, narrow: JSONObject, direction: str) -> bool:
    wide_peers, narrow_peers = peers_of(wide, direction), peers_of(narrow, direction)
    if wide_peers and (not narrow_peers or any(peer not in wide_peers for peer in narrow_peers)):
        return False
    wide_ports, narrow_ports = _ports(wide), _ports(narrow)
    return not wide_ports or (bool(narrow_ports) and narrow_ports <= wide_ports)


def _ports(rule: JSONObject) -> set[tuple[str, str, str]]:
    return {
        (str(port.get("protocol") or "TCP"), str(port.get("port")), str(port.get("endPort")))
        for port in items(rule, "ports")
    }


_UNSELECTED = 3


def _openness(labels: JSONObject, direction: str, policies: Iterable[_Policy]) -> int:
    """How open pods are to everybody: as the most open policy that selects them, wide open without one."""
    chosen = [policy for policy in policies if policy.selects(labels, direction)]
    return max((policy.openness(direction) for policy in chosen), default=_UNSELECTED)


def _held_outside(
    facts: Facts, namespace: str | None, pods: list[JSONObject], direction: str
) -> tuple[str, ...] | Unknown:
    live = facts.cluster.lists.get("networkPolicies")
    if live is None:
        return UNKNOWN
    own = own_names(facts)
    found = []
    for body in live:
        key = live_key(body)
        policy = _Policy(key, body)
        if key.namespace != namespace or is_own(key, body, own) or not pods:
            continue
        if all(policy.selects(labels, direction) for labels in pods) and not policy.openness(direction):
            found.append(str(key))
    return tuple(found)


def _in_short(policy: _Policy, direction: str) -> str:
    if direction not in policy.directions():
        return f"nothing about {direction}"
    rules = policy.rules(direction)
    if policy.openness(direction):
        ports = " on some ports" if policy.openness(direction) == 1 else ""
        return f"everybody is let {'in' if direction == INGRESS else 'out'}{ports}"
    if not rules:
        return f"nobody is let {'in' if direction == INGRESS else 'out'}"
    peers = sum(max(len(peers_of(rule, direction)), 1) for rule in rules)
    return f"{peers} {'peer is' if peers == 1 else 'peers are'} let {'in' if direction == INGRESS else 'out'}"


def _cause(resource: ResourceChange) -> str:
    for change in resource.changes:
        if change.path[:1] == ("spec",):
            return change.cause
    return resource.cause or "chart"
