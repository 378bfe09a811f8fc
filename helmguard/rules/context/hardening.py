"""What locks a container in: its security context with the pod's, as the kubelet reads them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_security import (
    CONTAINERS,
    added_capabilities,
    context_of,
    dropped_capabilities,
)

Weaker = tuple[str, JSONValue, JSONValue]
"""A field, what it said before, and what it says after."""


class Facet(msgspec.Struct, frozen=True):
    """One container: what it says itself, else what its pod says; None for nothing said."""

    container: str
    image: str
    privileged: bool
    said: JSONObject

    def says(self, what: str) -> JSONValue:
        """The value of a field as ``weaker_than`` gives it."""
        return self.said.get(what)

    def weaker_than(self, old: Facet) -> Iterator[Weaker]:
        """Each field by which the container is locked in less than the old one."""
        for what, after in self.said.items():
            before = old.said[what]
            if before != after and _IS_WEAKER[what](before, after):
                yield what, before, after


def facets_of(pod: JSONObject) -> Iterator[Facet]:
    """Every container of a pod (``metadata``, ``spec``)."""
    own = mapping(pod, "spec", "securityContext")
    for field in CONTAINERS:
        for container in items(pod, "spec", field):
            context = context_of(container)
            both = {**own, **context}
            seccomp = mapping(context, "seccompProfile") or mapping(own, "seccompProfile")
            armor = mapping(context, "appArmorProfile") or mapping(own, "appArmorProfile")
            yield Facet(
                container=str(container.get("name")),
                image=_repository(str(container.get("image") or "")),
                privileged=context.get("privileged") is True,
                said={
                    "runAsNonRoot": both.get("runAsNonRoot"),
                    "runAsUser": both.get("runAsUser"),
                    "readOnlyRootFilesystem": context.get("readOnlyRootFilesystem"),
                    "allowPrivilegeEscalation": context.get("allowPrivilegeEscalation"),
                    "seccompProfile": seccomp.get("type"),
                    "appArmorProfile": armor.get("type"),
                    "capabilities.add": sorted(added_capabilities(container)),
                    "capabilities.drop": sorted(dropped_capabilities(container)),
                },
            )


def _repository(image: str) -> str:
    name = image.partition("@")[0]
    head, slash, last = name.rpartition("/")
    return head + slash + last.partition(":")[0]


def _is_off(before: JSONValue, after: JSONValue) -> bool:
    return before is True and after is not True


def _becomes_root(before: JSONValue, after: JSONValue) -> bool:
    """To user 0; where nothing is said the image decides, which ``runAsNonRoot`` may still forbid."""
    return before not in (None, 0) and after == 0


def _may_escalate(before: JSONValue, after: JSONValue) -> bool:
    return before is False and after is not False


def _loses_profile(before: JSONValue, after: JSONValue) -> bool:
    return after == "Unconfined" or (before in ("RuntimeDefault", "Localhost") and after is None)


def _gets_more(before: JSONValue, after: JSONValue) -> bool:
    return "ALL" not in before and bool(set(after) - set(before))


def _gives_up_less(before: JSONValue, after: JSONValue) -> bool:
    return "ALL" not in after and bool(set(before) - set(after))


_IS_WEAKER = {
    "runAsNonRoot": _is_off,
    "runAsUser": _becomes_root,
    "readOnlyRootFilesystem": _is_off,
    "allowPrivilegeEscalation": _may_escalate,
    "seccompProfile": _loses_profile,
    "appArmorProfile": _loses_profile,
    "capabilities.add": _gets_more,
    "capabilities.drop": _gives_up_less,
}
