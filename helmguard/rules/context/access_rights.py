"""Rights that roles grant and bindings hand out: verbs on kinds of objects, as Kubernetes reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.manifest_maps import mapping, maps_in, texts
from helmguard.rules.context.named_objects import RBAC

BINDINGS = ("RoleBinding", "ClusterRoleBinding")


class Subject(msgspec.Struct, frozen=True):
    kind: str
    namespace: str | None
    name: str

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


class Right(msgspec.Struct, frozen=True):
    """One verb on one kind of object (or URL); ``place`` is the namespace, None for everywhere.

    A role whose rules are not known stands for itself: ``resource`` is its name, ``verb`` empty.
    """

    subject: Subject
    place: str | None
    group: str
    resource: str
    verb: str
    name: str = ""


def role_of(binding: ResourceKey, body: JSONObject) -> ResourceKey:
    """The role that a binding hands out."""
    role = mapping(body.get("roleRef"))
    kind = str(role.get("kind") or "Role")
    return ResourceKey(RBAC, kind, binding.namespace if kind == "Role" else None, str(role.get("name")))


def subjects_of(binding: ResourceKey, body: JSONObject) -> Iterator[Subject]:
    """Whom a binding hands its role to; a ServiceAccount without a namespace has the binding's."""
    for _, subject in maps_in(body.get("subjects")):
        kind = str(subject.get("kind"))
        place = str(subject.get("namespace") or binding.namespace or "") if kind == "ServiceAccount" else None
        yield Subject(kind, place, str(subject.get("name")))


def rights_of_rule(rule: JSONObject, subject: Subject, place: str | None) -> Iterator[Right]:
    """What one rule of a role lets the subject do."""
    names = texts(rule.get("resourceNames")) or [""]
    for verb in texts(rule.get("verbs")):
        for url in texts(rule.get("nonResourceURLs")):
            yield Right(subject, None, "", url, verb)
        for group in texts(rule.get("apiGroups")):
            for resource in texts(rule.get("resources")):
                if resource != _NOT_SERVED:
                    yield from (Right(subject, place, group, resource, verb, name) for name in names)


_NOT_SERVED = "podsecuritypolicies"
"""Gone with Kubernetes 1.25: charts drop the right to use one, and nobody loses anything."""


def covers(wide: Right, narrow: Right) -> bool:
    """Whether who has the one has the other, too; whose they are is not looked at."""
    return (
        wide.place in (None, narrow.place)
        and wide.group in ("*", narrow.group)
        and _covers_resource(wide.resource, narrow.resource)
        and wide.verb in ("*", narrow.verb)
        and wide.name in ("", narrow.name)
    )


def _covers_resource(wide: str, narrow: str) -> bool:
    """``*/scale`` is that subresource of everything, ``/api/*`` every URL below."""
    if wide in ("*", narrow):
        return True
    if wide.startswith("*/"):
        return narrow.endswith(wide[1:])
    return wide.startswith("/") and wide.endswith("*") and narrow.startswith(wide[:-1])


def in_words(rights: Iterable[Right]) -> Iterator[str]:
    """``get, list secrets``: verbs joined by resource, resources by verbs."""
    verbs: dict[str, list[str]] = {}
    for right in rights:
        what = f"{right.resource}.{right.group}" if right.group else right.resource
        what += f" {right.name!r}" if right.name else ""
        verbs.setdefault(what, []).append(right.verb)
    joined: dict[str, list[str]] = {}
    for what, words in verbs.items():
        joined.setdefault(", ".join(dict.fromkeys(words)), []).append(what)
    for words_of, what_of in joined.items():
        yield f"{words_of} {', '.join(what_of)}".strip()
