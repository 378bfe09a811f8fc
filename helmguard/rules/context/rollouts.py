"""Rollouts that this operation starts, and changes of how workloads roll out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from helmguard.model.json_value import JSONObject
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_templates import RESTARTING, after_of, before_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.rollout_steps import NO_STRATEGY, Strategy
from helmguard.rules.context.workloads import Workload
from helmguard.rules.facts import Facts


class Restart(Record, frozen=True):
    """A workload whose pods this operation replaces, or would but for its strategy."""

    ref: Annotated[str, "`Deployment/web`"]
    pods: Annotated[int, "pods it asks for after Helm"] = 0
    strategy: Annotated[Strategy, "how it replaces them"] = NO_STRATEGY
    steps: Annotated[int, "how many times pods are replaced, one time after the other"] = 0
    least_seconds: Annotated[int, "seconds that `minReadySeconds` alone takes"] = 0
    only_bookkeeping: Annotated[bool, "nothing changes that a pod would notice"] = False
    reasons: Annotated[tuple[str, ...], "the fields of the pod template that change"] = ()
    held: Annotated[str, "why its pods stay as they are for now: `OnDelete`, `paused`, else empty"] = ""


class Downtime(Record, frozen=True):
    """A workload that has, or gets, a strategy by which all its pods are away at once."""

    ref: Annotated[str, "`Deployment/web`"]
    kind: Annotated[str, "its kind"] = "Deployment"
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    pods: Annotated[int, "pods that run now, as far as the workload asks for them"] = 1
    before: Annotated[str, "the strategy now, in words"] = ""
    after: Annotated[str, "the strategy after Helm, in words"] = ""
    was_so: Annotated[bool, "all pods are away at once by the strategy it has now"] = False
    is_so: Annotated[bool, "all pods are away at once by the strategy it has after Helm"] = True
    restarts: Annotated[bool, "this operation replaces its pods"] = False
    mounts_claim: Annotated[bool, "its pods mount a PersistentVolumeClaim"] = False
    cause: Annotated[str, "why the strategy changes: a cause of docs/plan-format.md, else empty"] = ""


class SharedVolume(Record, frozen=True):
    """A Deployment that starts new pods beside old ones, all with a claim for one node or one pod."""

    ref: Annotated[str, "`Deployment/web`"]
    kind: Annotated[str, "its kind"] = "Deployment"
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    claim: Annotated[str, "the claim's name"] = ""
    modes: Annotated[tuple[str, ...] | Unknown, "the claim's access modes"] = UNKNOWN
    pods: Annotated[int, "pods it asks for after Helm"] = 1
    is_new: Annotated[bool, "claim, strategy or a second pod comes with this operation"] = False
    restarts: Annotated[bool, "this operation replaces its pods"] = False


class EveryNode(Record, frozen=True):
    """A DaemonSet that comes, that reaches more nodes, or that takes many pods away at once."""

    ref: Annotated[str, "`DaemonSet/agent`"]
    created: Annotated[bool, "this operation creates it"] = False
    restarts: Annotated[bool, "this operation replaces its pods"] = False
    pods: Annotated[int, "pods its controller last counted, 0 for a new one"] = 0
    unavailable: Annotated[int, "pods away at once when they are replaced"] = 1
    unavailable_before: Annotated[int, "the same before"] = 1
    tolerates_all: Annotated[bool, "its pods tolerate every taint, after Helm"] = False
    tolerated_all: Annotated[bool, "the same before"] = False


def restarts_of(workloads: Iterable[Workload]) -> Iterator[Restart]:
    """Every rollout of the operation, and those that wait."""
    for one in workloads:
        if one.restarts:
            yield Restart(
                ref=one.ref,
                pods=one.new_replicas or 0,
                strategy=one.new_strategy,
                steps=one.steps,
                least_seconds=one.steps * one.min_ready_seconds,
                only_bookkeeping=one.only_bookkeeping,
                reasons=one.restart_reasons,
            )
        elif one.kind in RESTARTING and one.template_changes and one.action in ("update", "adopt"):
            held = "OnDelete" if one.new_strategy.type == "OnDelete" else "paused"
            changed = tuple(change.path for change in one.template_changes)
            yield Restart(ref=one.ref, pods=one.new_replicas or 0, reasons=changed, held=held)


def downtimes(workloads: Iterable[Workload], resources: Iterable[ResourceChange]) -> Iterator[Downtime]:
    """Deployments and StatefulSets without a pod at some moment of a rollout, now or at the next one."""
    by_key = {resource.prediction.key: resource for resource in resources}
    causes = {
        (key.kind, key.namespace, key.name): _cause_of_strategy(one)
        for key, one in by_key.items()
        if key.kind == "Deployment"
    }
    for one in workloads:
        pods = one.old_replicas or 0
        moving = min(pods, one.new_replicas or 0)
        if one.kind not in ("Deployment", "StatefulSet") or not moving:
            continue
        if one.kind == "StatefulSet" and moving == 1:
            # The only pod of a StatefulSet is always taken away first: no strategy changes that.
            continue
        was, will = _takes_all(one.old_strategy, pods), _takes_all(one.new_strategy, moving)
        if will or was:
            yield Downtime(
                ref=one.ref,
                kind=one.kind,
                namespace=one.namespace,
                name=one.name,
                pods=pods,
                before=in_words(one.old_strategy),
                after=in_words(one.new_strategy),
                was_so=was,
                is_so=will,
                restarts=one.restarts,
                mounts_claim=any(True for _ in _claims(one.new_pod)),
                cause=causes.get((one.kind, one.namespace, one.name), ""),
            )


def in_words(strategy: Strategy) -> str:
    """``Recreate``, ``RollingUpdate with maxSurge 0 and maxUnavailable 1``."""
    if strategy.type != "RollingUpdate":
        return strategy.type
    parts = [
        f"{name} {value}"
        for name, value in (
            ("maxSurge", strategy.given_surge),
            ("maxUnavailable", strategy.given_unavailable),
        )
        if value is not None
    ]
    return f"RollingUpdate with {' and '.join(parts)}" if parts else "RollingUpdate"


def shared_volumes(workloads: Iterable[Workload], facts: Facts) -> Iterator[SharedVolume]:
    """Deployments whose rollouts start a pod before the old one has left the volume."""
    for one in workloads:
        if one.kind != "Deployment" or one.new_strategy.max_surge < 1 or not one.new_replicas:
            continue
        before = set(_claims(one.old_pod))
        for claim in _claims(one.new_pod):
            more_pods = (one.old_replicas or 0) <= 1 < one.new_replicas
            is_new = one.old_pod is not None and (
                claim not in before or one.old_strategy.max_surge < 1 or more_pods
            )
            if is_new or one.restarts or (one.old_pod is None and one.new_replicas > 1):
                yield SharedVolume(
                    ref=one.ref,
                    kind=one.kind,
                    namespace=one.namespace,
                    name=one.name,
                    claim=claim,
                    modes=_modes(claim, one.namespace, facts),
                    pods=one.new_replicas,
                    is_new=is_new or one.old_pod is None,
                    restarts=one.restarts,
                )


def every_node(workloads: Iterable[Workload]) -> Iterator[EveryNode]:
    """DaemonSets that come, restart, or begin to tolerate every taint."""
    for one in workloads:
        if one.kind != "DaemonSet" or one.new_pod is None:
            continue
        all_before, all_after = _tolerates_all(one.old_pod), _tolerates_all(one.new_pod)
        yield EveryNode(
            ref=one.ref,
            created=one.old_pod is None,
            restarts=one.restarts,
            pods=one.old_replicas or 0,
            unavailable=one.new_strategy.max_unavailable,
            unavailable_before=one.old_strategy.max_unavailable,
            tolerates_all=all_after,
            tolerated_all=all_before,
        )


def _takes_all(strategy: Strategy, pods: int) -> bool:
    if strategy.type == "Recreate":
        return True
    return strategy.type == "RollingUpdate" and strategy.max_unavailable >= pods


def _cause_of_strategy(resource: ResourceChange) -> str:
    """Why the strategy changes: its type's cause, where that is among the changes."""
    causes = {change.path: change.cause for change in resource.changes if change.path[:2] == _STRATEGY}
    for cause in (causes.get((*_STRATEGY, "type")), *causes.values()):
        if cause:
            return cause
    return ""


_STRATEGY = ("spec", "strategy")


def _claims(template: object) -> Iterator[str]:
    for volume in items(template, "spec", "volumes"):
        name = mapping(volume, "persistentVolumeClaim").get("claimName")
        if name:
            yield str(name)


def _modes(claim: str, namespace: str, facts: Facts) -> tuple[str, ...] | Unknown:
    for resource in facts.resources:
        key = resource.prediction.key
        if (key.kind, key.namespace, key.name) == ("PersistentVolumeClaim", namespace, claim):
            return _modes_in(after_of(resource) or before_of(resource))
    live = facts.cluster.lists.get("persistentVolumeClaims")
    for body in live or ():
        metadata = mapping(body, "metadata")
        if (metadata.get("namespace"), metadata.get("name")) == (namespace, claim):
            return _modes_in(body)
    return UNKNOWN


def _modes_in(body: JSONObject | None) -> tuple[str, ...]:
    modes = mapping(body, "spec").get("accessModes")
    return tuple(str(mode) for mode in modes) if isinstance(modes, list) else ()


def _tolerates_all(template: object) -> bool:
    return any(
        toleration.get("operator") == "Exists" and not toleration.get("key") and not toleration.get("effect")
        for toleration in items(template, "spec", "tolerations")
    )
