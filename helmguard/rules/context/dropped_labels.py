"""Labels that pods lose, and what still selects pods by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias

from helmguard.model.json_value import JSONObject
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_templates import (
    after_of,
    before_of,
    is_workload,
    is_written,
    labels_of,
    template_of,
)
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.references import is_own, live_key, own_names
from helmguard.rules.context.selectors import selects
from helmguard.rules.facts import Facts

_AROUND = ("networkPolicies", "services", "podDisruptionBudgets")
_VERSIONS = frozenset(
    ["helm.sh/chart", "app.kubernetes.io/version", "chart", "version", "heritage", "release"]
)


class DroppedLabel(Record, frozen=True):
    """Pods that lose labels, or get other values for them."""

    ref: Annotated[str, "the workload: `Deployment/web`"]
    namespace: Annotated[str, "its namespace"] = ""
    labels: Annotated[tuple[str, ...], "what the pods lose: `role=db`"] = ()
    matters: Annotated[bool, "at least one of them is none that carries a version"] = False
    users: Annotated[
        tuple[str, ...],
        "objects of the release that find the pods now and not after Helm: `NetworkPolicy/db`",
    ] = ()
    outside: Annotated[
        tuple[str, ...] | Unknown, "the same, of live objects of others; none where only versions change"
    ] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "facts without which `outside` is not known"] = ()


_Named: TypeAlias = tuple[str, JSONObject]


def dropped_labels(facts: Facts) -> Iterator[DroppedLabel]:
    """Workloads that stay and whose pods lose labels that they had."""
    around: tuple[list[_Named], tuple[str, ...]] | None = None
    own: list[_Named] | None = None
    for resource in facts.resources:
        key = resource.prediction.key
        if not is_workload(key) or key.kind in ("Job", "CronJob") or not is_written(resource):
            continue
        old = labels_of(template_of(before_of(resource), key))
        new = labels_of(template_of(after_of(resource), key))
        lost = {name: value for name, value in old.items() if new.get(name) != value}
        if not lost or not new:
            continue
        around = around if around is not None else _around(facts)
        own = own if own is not None else _own(facts)
        matters = any(name not in _VERSIONS for name in lost)
        outside = tuple(_losing(around[0], old, new, key.namespace))
        yield DroppedLabel(
            ref=str(key),
            namespace=key.namespace or "",
            labels=tuple(f"{name}={value}" for name, value in sorted(lost.items())),
            matters=matters,
            users=tuple(_losing(own, old, new, key.namespace)),
            outside=UNKNOWN if matters and around[1] and not outside else outside,
            lacks=around[1],
        )


def _losing(
    selecting: list[_Named], old: dict[str, str], new: dict[str, str], namespace: str | None
) -> Iterator[str]:
    found = (
        name
        for name, selector in selecting
        if selector.get("namespace") in (None, namespace)
        and selects(selector, dict(old))
        and not selects(selector, dict(new))
    )
    return iter(dict.fromkeys(found))


def _own(facts: Facts) -> list[_Named]:
    """Selectors of the new manifest. A Service that then finds nothing is told of elsewhere."""
    found: list[_Named] = []
    for resource in facts.resources:
        body = after_of(resource)
        if body is not None and resource.action != "hook" and resource.prediction.key.kind != "Service":
            found += _selectors(str(resource.prediction.key), body, resource.prediction.key.namespace)
    return found


def _around(facts: Facts) -> tuple[list[_Named], tuple[str, ...]]:
    own = own_names(facts)
    found: list[_Named] = []
    unread: list[str] = []
    for name in _AROUND:
        bodies = facts.cluster.lists.get(name)
        if bodies is None:
            unread.append(f"cluster.{name}")
        for body in bodies or ():
            key = live_key(body)
            if not is_own(key, body, own):
                found += _selectors(str(key), body, key.namespace)
    return found, tuple(unread)


def _selectors(ref: str, body: JSONObject, namespace: str | None) -> Iterator[_Named]:
    """Each way in which the object selects pods; ``namespace`` marks those of one namespace only."""
    spec, kind = mapping(body, "spec"), str(body.get("kind"))
    if kind == "Service" and spec.get("selector"):
        yield ref, {"matchLabels": mapping(spec, "selector"), "namespace": namespace}
    elif kind == "PodDisruptionBudget":
        yield from _labelled(ref, spec.get("selector"), namespace)
    elif kind == "NetworkPolicy":
        yield from _labelled(ref, spec.get("podSelector"), namespace)
        for direction, peers in (("ingress", "from"), ("egress", "to")):
            for rule in items(spec, direction):
                for peer in items(rule, peers):
                    place = None if "namespaceSelector" in peer else namespace
                    yield from _labelled(ref, peer.get("podSelector"), place)
    elif kind == "PodMonitor":
        yield from _labelled(ref, spec.get("selector"), namespace)
    for term in _affinity_terms(body):
        yield from _labelled(ref, mapping(term, "labelSelector"), None)


def _labelled(ref: str, selector: Any, namespace: str | None) -> Iterator[_Named]:
    if isinstance(selector, dict) and (selector.get("matchLabels") or selector.get("matchExpressions")):
        yield ref, {**selector, "namespace": namespace}


def _affinity_terms(body: JSONObject) -> Iterator[JSONObject]:
    """Required terms of pods that want to be near others; terms that keep away lose nothing."""
    affinity = mapping(body, "spec", "template", "spec", "affinity", "podAffinity")
    yield from items(affinity, "requiredDuringSchedulingIgnoredDuringExecution")
