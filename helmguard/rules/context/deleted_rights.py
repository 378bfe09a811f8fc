"""Who loses which rights when roles and bindings go: effective rights before against after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.named_objects import RBAC, as_map, maps_in, pod_spec_of
from helmguard.rules.context.record import Record

Documents = Mapping[ResourceKey, JSONObject]


@dataclass(frozen=True, slots=True)
class RightLoss(Record):
    """One subject and what it may no longer do."""

    subject: Annotated[str, "`ServiceAccount/web`, `Group/team`"]
    namespace: Annotated[str | None, "a ServiceAccount's namespace"] = None
    rights: Annotated[tuple[str, ...], "`get, list secrets`; a role outside the manifest by its name"] = ()
    in_use: Annotated[bool, "a workload or hook of the new manifest runs as it"] = False
    outside: Annotated[bool, "a user, a group, or an account that is not of this release"] = False


@dataclass(frozen=True, slots=True)
class Subject:
    kind: str
    namespace: str | None
    name: str

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


@dataclass(frozen=True, slots=True)
class Right:
    """One verb on one kind of object (or URL); ``place`` is the namespace, None for everywhere.

    A role that is not in the manifest stands for itself: ``resource`` is its name, ``verb`` empty.
    """

    subject: Subject
    place: str | None
    group: str
    resource: str
    verb: str
    name: str = ""


def lost_rights(
    old: Documents, new: Documents, going: Iterable[ResourceKey]
) -> dict[ResourceKey, tuple[RightLoss, ...]]:
    """What goes with each role and binding, where nothing in the new manifest grants it.

    What goes with a binding is told there, not at its role.
    """
    gone = set(going)
    bindings = {key: body for key, body in old.items() if key.kind in _BINDINGS and key.group == RBAC}
    if not any(key.group == RBAC for key in gone):
        return {}
    granted = _by_subject(
        right for key, body in new.items() if key.kind in _BINDINGS for right in _rights(key, body, new)
    )
    used, own = set(_accounts_in_use(new)), {key for key in (*old, *new) if key.kind == "ServiceAccount"}
    found: dict[ResourceKey, list[Right]] = defaultdict(list)
    for key, body in bindings.items():
        place = key if key in gone else _role_key(key, body)
        if place in gone:
            found[place] += [right for right in _rights(key, body, old) if not _is_covered(right, granted)]
    return {key: tuple(_losses(rights, used, own)) for key, rights in found.items() if rights}


_BINDINGS = ("RoleBinding", "ClusterRoleBinding")
_Granted = Mapping[Subject, list[Right]]


def _by_subject(rights: Iterable[Right]) -> _Granted:
    found: dict[Subject, list[Right]] = defaultdict(list)
    for right in rights:
        found[right.subject].append(right)
    return found


def _role_key(key: ResourceKey, body: JSONObject) -> ResourceKey:
    role = as_map(body.get("roleRef"))
    kind = str(role.get("kind") or "Role")
    return ResourceKey(RBAC, kind, key.namespace if kind == "Role" else None, str(role.get("name")))


def _rights(key: ResourceKey, body: JSONObject, documents: Documents) -> Iterator[Right]:
    role = _role_key(key, body)
    place = key.namespace if key.kind == "RoleBinding" else None
    for subject in _subjects(key, body):
        document = documents.get(role)
        if document is None:
            yield Right(subject, place, "", f"{role.kind}/{role.name}", "")
            continue
        for _, rule in maps_in(document.get("rules")):
            yield from _of_rule(rule, subject, place)


def _subjects(key: ResourceKey, body: JSONObject) -> Iterator[Subject]:
    for _, subject in maps_in(body.get("subjects")):
        kind = str(subject.get("kind"))
        place = str(subject.get("namespace") or key.namespace or "") if kind == "ServiceAccount" else None
        yield Subject(kind, place, str(subject.get("name")))


def _of_rule(rule: JSONObject, subject: Subject, place: str | None) -> Iterator[Right]:
    names = _texts(rule.get("resourceNames")) or [""]
    for verb in _texts(rule.get("verbs")):
        for url in _texts(rule.get("nonResourceURLs")):
            yield Right(subject, None, "", url, verb)
        for group in _texts(rule.get("apiGroups")):
            for resource in _texts(rule.get("resources")):
                if resource != _NOT_SERVED:
                    yield from (Right(subject, place, group, resource, verb, name) for name in names)


_NOT_SERVED = "podsecuritypolicies"
"""Gone with Kubernetes 1.25: charts drop the right to use one, and nobody loses anything."""


def _texts(value: JSONValue) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _is_covered(right: Right, granted: _Granted) -> bool:
    return any(_covers(other, right) for other in granted.get(right.subject, ()))


def _covers(wide: Right, narrow: Right) -> bool:
    return (
        wide.place in (None, narrow.place)
        and wide.group in ("*", narrow.group)
        and wide.resource in ("*", narrow.resource)
        and wide.verb in ("*", narrow.verb)
        and wide.name in ("", narrow.name)
    )


def _accounts_in_use(documents: Documents) -> Iterator[Subject]:
    for key, body in documents.items():
        pod = pod_spec_of(body)
        if pod is not None:
            name = pod[0].get("serviceAccountName") or pod[0].get("serviceAccount") or "default"
            yield Subject("ServiceAccount", key.namespace, str(name))


def _losses(rights: Iterable[Right], used: set[Subject], own: set[ResourceKey]) -> Iterator[RightLoss]:
    for subject, lost in _by_subject(rights).items():
        account = ResourceKey("", "ServiceAccount", subject.namespace, subject.name)
        in_use = subject in used
        outside = subject.kind != "ServiceAccount" or (account not in own and not in_use)
        yield RightLoss(str(subject), subject.namespace, tuple(_in_words(lost)), in_use, outside)


def _in_words(rights: Iterable[Right]) -> Iterator[str]:
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
