"""Objects that are deleted while others name them: who those are, in the manifests and around the release."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.deletion_records import DeletedReferenced
from helmguard.rules.context.leaving import Leaving, kept_objects
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.named_objects import edges_of
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.context.references import (
    Reference,
    Where,
    makers_of,
    reference,
    references_around,
    references_in,
)
from helmguard.rules.facts import Facts

_PODS = ("pods", "deployments", "statefulSets", "cronJobs")
_USERS: dict[tuple[str, str], tuple[str, ...]] = {
    ("", "ConfigMap"): _PODS,
    ("", "Secret"): (*_PODS, "ingresses"),
    ("", "ServiceAccount"): _PODS,
    ("", "Service"): (
        "ingresses",
        "validatingWebhookConfigurations",
        "mutatingWebhookConfigurations",
        "apiServices",
    ),
    ("scheduling.k8s.io", "PriorityClass"): ("allPods",),
    ("node.k8s.io", "RuntimeClass"): ("allPods",),
    ("storage.k8s.io", "StorageClass"): ("persistentVolumes",),
    ("networking.k8s.io", "IngressClass"): ("allIngresses",),
    ("cert-manager.io", "Issuer"): (),
    ("cert-manager.io", "ClusterIssuer"): (),
    ("cert-manager.io", "Certificate"): (),
    ("gateway.networking.k8s.io", "Gateway"): (),
    ("gateway.networking.k8s.io", "GatewayClass"): (),
}
"""Kinds that others name, and the lists of live objects that may."""
_NEW: tuple[Where, ...] = ("new", "hook")


def deleted_references(
    going: Iterable[Leaving], heads: Mapping[ResourceKey, dict[str, Any]], facts: Facts
) -> Iterator[DeletedReferenced]:
    """What others may name of what goes, with those that do. ``heads``: the common fields of each record."""
    targets = {one.key: one for one in going if (one.key.group, one.key.kind) in _USERS}
    if not targets:
        return
    users = _by_target(_staying_references(facts))
    makers = makers_of(facts)
    by_lists: dict[tuple[str, ...], list[ResourceKey]] = defaultdict(list)
    for key in targets:
        by_lists[_USERS[(key.group, key.kind)]].append(key)
    for lists, keys in by_lists.items():
        found, unread = references_around(facts, lists, frozenset(keys))
        around = _by_target(found)
        for key in keys:
            yield DeletedReferenced(
                **heads[key],
                is_tls=_is_tls(key, targets[key].document),
                users=tuple(users[key]),
                around=UNKNOWN if unread and not around[key] else tuple(around[key]),
                lacks=unread,
                maker=makers.get(key, ""),
            )


def _by_target(references: Iterable[Reference]) -> dict[ResourceKey, list[Reference]]:
    """Those without which something does not work."""
    found: dict[ResourceKey, list[Reference]] = defaultdict(list)
    for one in references:
        if _matters(one):
            found[ResourceKey(one.group, one.kind, one.namespace, one.name)].append(one)
    return found


def _matters(user: Reference) -> bool:
    """Without an optional object a pod starts; without the secret of its registry it often does not."""
    return not user.optional or "imagePullSecrets" in user.how


def _is_tls(key: ResourceKey, body: JSONObject) -> bool:
    """By its type, else by what it holds."""
    if key.kind != "Secret":
        return False
    entries = {*mapping(body.get("data")), *mapping(body.get("stringData"))}
    return body.get("type") == "kubernetes.io/tls" or bool(entries & {"tls.crt", "ca.crt", "ca.pem"})


def _staying_references(facts: Facts) -> Iterator[Reference]:
    """What the new manifest, its hooks and the objects that are kept name."""
    for where in _NEW:
        for key, edge in references_in(facts, where):
            yield reference(key, edge, where)
    for leaving in kept_objects(facts):
        for edge in edges_of(leaving.body, leaving.key.namespace):
            yield reference(leaving.key, edge, "old")
