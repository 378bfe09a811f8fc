"""Everything in a namespace, so that it can be told what its deletion ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from helmguard.cluster.fact_reader import Unread, joined
from helmguard.model.discovery import Discovery, ServedKind
from helmguard.model.json_value import JSONObject

_LEFT_OUT = frozenset(
    [
        ("", "events"),
        ("events.k8s.io", "events"),
        ("", "endpoints"),
        ("discovery.k8s.io", "endpointslices"),
    ]
)
"""What the control plane writes about other objects, by group and plural."""

_IN_EVERY_NAMESPACE = frozenset([("ConfigMap", "kube-root-ca.crt"), ("ServiceAccount", "default")])


def kinds_of_contents(discovery: Discovery) -> list[ServedKind]:
    """The kinds to list, each in one version.

    What cannot be deleted is no object of its own: metrics, reviews, packages that an API computes.
    """
    first: dict[tuple[str, str], ServedKind] = {}
    for kind in discovery.kinds:
        place = (kind.group, kind.plural)
        if kind.namespaced and {"list", "delete"} <= set(kind.verbs) and place not in _LEFT_OUT:
            first.setdefault(place, kind)
    return list(first.values())


def gather_contents(
    namespace: str, read: Mapping[ServedKind, list[JSONObject] | Unread], unavailable: Iterable[str]
) -> tuple[tuple[JSONObject, ...] | None, str]:
    """The objects, or None and in words what could not be listed: the rest might seem to be all there is.

    An object that two groups serve counts once.
    """
    why = _missing(namespace, read, unavailable)
    if why:
        return None, why
    found: dict[str, JSONObject] = {}
    for kind, listed in read.items():
        for body in listed if not isinstance(listed, Unread) else ():
            metadata = body["metadata"]
            name = str(metadata.get("name"))
            if (kind.kind, name) not in _IN_EVERY_NAMESPACE:
                found.setdefault(str(metadata.get("uid") or f"{kind.group}/{kind.plural}/{name}"), body)
    return tuple(found.values()), ""


def _missing(
    namespace: str, read: Mapping[ServedKind, list[JSONObject] | Unread], unavailable: Iterable[str]
) -> str:
    failed = {
        f"{kind.plural}.{kind.group}".rstrip("."): listed.why
        for kind, listed in read.items()
        if isinstance(listed, Unread)
    }
    reasons = [f"the API server behind {group} does not answer discovery" for group in unavailable]
    if failed:
        kinds = joined(failed, most=10)
        reasons.append(
            f"of {len(read)} kinds {len(failed)} could not be listed ({kinds}): {next(iter(failed.values()))}"
        )
    return f"namespace {namespace}: {joined(reasons)}" if reasons else ""
