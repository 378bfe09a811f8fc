"""Objects that leave the manifest while one much like them comes: renamed, moved, or of another kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.plan import ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.leaving import Leaving, leaving_objects
from helmguard.rules.context.likeness import (
    Named,
    best_pairs,
    holds_the_words_of,
    is_counted,
    leaves_of,
    likeness,
    stems,
)
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.named_objects import pod_spec_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.volumes import claim_templates_of, reclaim_policy_of, when_deleted_of
from helmguard.rules.facts import Facts

SIMILAR = 0.8
"""From which likeness on two documents are taken for one object under two names."""
_SIMILAR_CLAIM = 0.5
"""For claims, which say little and whose loss is worth a successor's name."""


class Replacement(Record, frozen=True):
    """An object that leaves the manifest, and the one that comes in its place."""

    ref: Annotated[str, "what goes: `Kind/name`"]
    kind: Annotated[str, "its kind"]
    group: Annotated[str, "its API group"]
    namespace: Annotated[str | None, "its namespace, null for cluster-scoped kinds"]
    name: Annotated[str, "its name"]
    to_ref: Annotated[str, "what comes: `Kind/name`"]
    to_kind: Annotated[str, "its kind"]
    to_group: Annotated[str, "its API group"]
    to_namespace: Annotated[str | None, "its namespace"]
    to_name: Annotated[str, "its name"]
    cause: Annotated[str, "why the old one leaves the manifest: `chart`, `values`, …"] = "chart"
    old: Annotated[JSONValue, "its document in the previous manifest"] = None
    new: Annotated[JSONValue, "the document of the one that comes"] = None
    live: Annotated[JSONValue | Unknown, "the old object in the cluster now"] = UNKNOWN
    stems: Annotated[str, "what differs of the names: `web->shop-web`, without what they share"] = ""
    likeness: Annotated[float, "0 to 1: how much of both documents is equal, names aside"] = 1.0
    counted: Annotated[bool, "the names differ only in a number, a version or a hash"] = False
    runs_pods: Annotated[bool, "a workload with at least one pod"] = False
    asks_storage: Annotated[bool, "the old document, of a custom kind, asks for storage"] = False
    claim_templates: Annotated[tuple[str, ...], "names of its volumeClaimTemplates"] = ()
    when_deleted: Annotated[
        str, "`Retain` or `Delete`: what becomes of its claims, empty without templates"
    ] = ""
    reclaim_policy: Annotated[
        str | Unknown, "of the volume of a claim: `Delete`, `Retain`; empty where no volume is bound"
    ] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "the facts without which the policy is not known"] = ()


class Renames(Record, frozen=True):
    """Objects that change their name, kind or namespace, which Helm does as delete and create."""

    names: Annotated[
        tuple[Replacement, ...], "of kinds that hold data, run pods or are called by their name"
    ] = ()
    kinds: Annotated[tuple[Replacement, ...], "workloads that come as another kind under the same name"] = ()
    namespaces: Annotated[tuple[Replacement, ...], "objects that come in another namespace"] = ()


def renames_of(facts: Facts) -> Renames:
    """What changes its name, kind or namespace."""
    found = replacements(facts)
    return Renames(
        names=tuple(_replacement(*pair, facts) for pair in found.names if is_told(*pair[:2])),
        kinds=tuple(_replacement(*pair, facts) for pair in found.kinds),
        namespaces=tuple(_replacement(*pair, facts) for pair in found.namespaces),
    )


Pair = tuple[Leaving, ResourceChange, float]


class Pairs(msgspec.Struct, frozen=True):
    """All pairs, of every kind; each leaving object is in one list at most."""

    names: list[Pair]
    kinds: list[Pair]
    namespaces: list[Pair]


def replacements(facts: Facts) -> Pairs:
    """What leaves, what comes in its place, and how much alike their documents are."""
    going = list(leaving_objects(facts))
    coming = [
        resource
        for resource in facts.resources
        if resource.prediction.previous is None
        and resource.prediction.new is not None
        and resource.action not in ("hook", "unchanged")
    ]
    moved = list(_moved(going, coming))
    swapped = list(_swapped(going, coming))
    taken = {pair[0].key for pair in (*moved, *swapped)} | {
        pair[1].prediction.key for pair in (*moved, *swapped)
    }
    left = [one for one in going if one.key not in taken]
    free = [one for one in coming if one.prediction.key not in taken]
    return Pairs(list(_renamed(left, free)), swapped, moved)


_CALLED_BY_NAME = {("", "Service")}
_HOLD_DATA = {("", "PersistentVolumeClaim"), ("apps", "StatefulSet")}
_RUN_PODS = {("apps", "Deployment"), ("apps", "DaemonSet"), ("argoproj.io", "Rollout")}


def is_told(leaving: Leaving, coming: ResourceChange) -> bool:
    """Whether a rename of this object matters by itself: it holds data, runs pods or is called by its name.

    A number or hash in the name is how charts bring a new one on purpose; data is lost by that all the same.
    """
    key = leaving.key
    kind = (key.group, key.kind)
    if kind in _HOLD_DATA or asks_storage(key, leaving.document):
        return True
    if is_counted(key.name, coming.prediction.key.name):
        return False
    return kind in _CALLED_BY_NAME or kind in _RUN_PODS


def asks_storage(key: ResourceKey, body: JSONObject) -> bool:
    """Whether a custom resource asks for storage somewhere in its spec: a database, a broker."""
    if "." not in key.group or key.group.endswith(".k8s.io"):
        return False
    return _has_key(mapping(body.get("spec")), _STORAGE_KEYS)


_STORAGE_KEYS = frozenset({"storage", "storageClassName", "volumeClaimTemplate", "volumeClaimTemplates"})


def _has_key(value: JSONValue, names: frozenset[str]) -> bool:
    if isinstance(value, dict):
        return any(name in names or _has_key(item, names) for name, item in value.items())
    return isinstance(value, list) and any(_has_key(item, names) for item in value)


_WORKLOADS = {
    ("apps", "Deployment"),
    ("apps", "StatefulSet"),
    ("apps", "DaemonSet"),
    ("apps", "ReplicaSet"),
    ("", "Pod"),
    ("", "ReplicationController"),
    ("batch", "Job"),
    ("batch", "CronJob"),
    ("argoproj.io", "Rollout"),
}


def _moved(going: list[Leaving], coming: list[ResourceChange]) -> Iterator[Pair]:
    by_name: dict[tuple[str, str, str], ResourceChange] = {}
    for resource in coming:
        key = resource.prediction.key
        by_name.setdefault((key.group, key.kind, key.name), resource)
    for leaving in going:
        match = by_name.get((leaving.key.group, leaving.key.kind, leaving.key.name))
        if match is not None and leaving.key.namespace is not None:
            yield leaving, match, 1.0


def _swapped(going: list[Leaving], coming: list[ResourceChange]) -> Iterator[Pair]:
    by_name: dict[tuple[str | None, str], ResourceChange] = {}
    for resource in coming:
        key = resource.prediction.key
        if (key.group, key.kind) in _WORKLOADS:
            by_name.setdefault((key.namespace, key.name), resource)
    for leaving in going:
        key = leaving.key
        match = by_name.get((key.namespace, key.name)) if (key.group, key.kind) in _WORKLOADS else None
        if match is not None and match.prediction.key.kind != key.kind:
            yield leaving, match, 1.0


def _renamed(going: list[Leaving], coming: list[ResourceChange]) -> Iterator[Pair]:
    """Of one kind and namespace: equal but for the name first, then the likest."""
    old: dict[tuple[str, str, str | None], list[Leaving]] = defaultdict(list)
    new: dict[tuple[str, str, str | None], list[ResourceChange]] = defaultdict(list)
    for leaving in going:
        old[_kind_of(leaving.key)].append(leaving)
    for resource in coming:
        new[_kind_of(resource.prediction.key)].append(resource)
    for kind, leavings in old.items():
        if kind in new:
            yield from _matched(leavings, new[kind])


def _kind_of(key: ResourceKey) -> tuple[str, str, str | None]:
    return key.group, key.kind, key.namespace


def _matched(going: list[Leaving], coming: list[ResourceChange]) -> Iterator[Pair]:
    """First those that are equal but for their names, then the likest of the rest."""
    old = [Named(one.key.name, leaves_of(one.document)) for one in going]
    new = [Named(one.prediction.key.name, leaves_of(one.prediction.new or {})) for one in coming]
    wanted = _SIMILAR_CLAIM if going[0].key.kind == "PersistentVolumeClaim" else SIMILAR
    any_name = (going[0].key.group, going[0].key.kind) in _HOLD_DATA
    found = list(best_pairs(old, new, wanted, any_name=any_name))
    if going[0].key.kind == "StatefulSet":
        found += _namesakes(old, new, found)
    for left, right, alike in found:
        yield going[left], coming[right], alike


def _namesakes(
    old: list[Named], new: list[Named], found: list[tuple[int, int, float]]
) -> Iterator[tuple[int, int, float]]:
    """Sets whose names hold the same words are one even where much differs: what they store is lost."""
    left = [place for place in range(len(old)) if place not in {pair[0] for pair in found}]
    right = [place for place in range(len(new)) if place not in {pair[1] for pair in found}]
    for first in left:
        for second in right:
            if holds_the_words_of(old[first].name, new[second].name):
                alike = likeness(old[first].leaves, old[first].name, new[second].leaves, new[second].name)
                if alike >= _SIMILAR_CLAIM:
                    right.remove(second)
                    yield first, second, alike
                    break


def _replacement(leaving: Leaving, resource: ResourceChange, alike: float, facts: Facts) -> Replacement:
    old, new = leaving.key, resource.prediction.key
    policy, lacks = reclaim_policy_of(leaving, facts)
    return Replacement(
        ref=str(old),
        kind=old.kind,
        group=old.group,
        namespace=old.namespace,
        name=old.name,
        to_ref=str(new),
        to_kind=new.kind,
        to_group=new.group,
        to_namespace=new.namespace,
        to_name=new.name,
        cause=leaving.resource.cause,
        old=leaving.document,
        new=resource.prediction.new,
        live=leaving.live if leaving.live is not None else UNKNOWN,
        stems=stems(old.name, new.name),
        likeness=alike,
        counted=is_counted(old.name, new.name),
        runs_pods=_runs_pods(leaving),
        asks_storage=asks_storage(old, leaving.document),
        claim_templates=claim_templates_of(leaving.body),
        when_deleted=when_deleted_of(leaving.body),
        reclaim_policy=policy,
        lacks=lacks,
    )


def _runs_pods(leaving: Leaving) -> bool:
    """By the live object, where it is known."""
    spec = mapping(leaving.body.get("spec"))
    return pod_spec_of(leaving.document) is not None and spec.get("replicas", 1) != 0


def keys_of(pairs: Iterable[Pair]) -> dict[ResourceKey, ResourceKey]:
    """What each leaving object becomes."""
    return {leaving.key: resource.prediction.key for leaving, resource, _ in pairs}
