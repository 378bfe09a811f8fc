"""Who may do more than before: effective rights of every subject, before against after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.plan import ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.access_rights import (
    BINDINGS,
    Right,
    Subject,
    covers,
    rights_of_rule,
    role_of,
    subjects_of,
)
from helmguard.rules.context.known_roles import Documents, KnownRoles, builtin_roles
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.named_objects import RBAC
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts


class Grant(Record, frozen=True):
    """What one role or binding newly lets one subject do on one kind of object."""

    ref: Annotated[str, "the role or binding that brings it: `ClusterRoleBinding/web`"]
    kind: Annotated[str, "its kind"] = "ClusterRoleBinding"
    namespace: Annotated[str | None, "its namespace, null for cluster-scoped kinds"] = None
    name: Annotated[str, "its name"] = ""
    action: Annotated[str, "what Helm will do to it: an action of docs/plan-format.md"] = "update"
    subject: Annotated[
        str, "`ServiceAccount/web`, `Group/team`; `ClusterRole/edit`: whoever has that role"
    ] = ""
    account_namespace: Annotated[str | None, "a ServiceAccount's namespace"] = None
    role: Annotated[str, "the role that holds it: `ClusterRole/cluster-admin`"] = ""
    place: Annotated[str | None, "the namespace where it holds, null for everywhere"] = None
    group: Annotated[str, "the API group, `*` for all"] = ""
    resource: Annotated[str, "the kind of objects in plural, with its subresource: `pods/exec`; or a URL"] = (
        ""
    )
    verbs: Annotated[tuple[str, ...], "what may be done now and could not before: `get`"] = ()
    object_name: Annotated[str, "the only object that it holds for, empty for all"] = ""
    rules_known: Annotated[
        bool | Unknown, "the role's rules are known; a role outside the manifest has to be read"
    ] = True
    lacks: Annotated[tuple[str, ...], "the fact without which the rules are not known"] = ()


class Rbac(Record, frozen=True):
    """Rights that this operation adds."""

    gained: Annotated[tuple[Grant, ...], "rights that a subject has after Helm, and had not before"] = ()


class _Given(msgspec.Struct, frozen=True):
    """A right, and the binding and role that give it; the role alone for those that share it by label."""

    right: Right
    role: ResourceKey
    binding: ResourceKey | None


def rbac_of(facts: Facts) -> Rbac:
    """What is gained. Rights that another subject of the release loses have only moved."""
    resources = {
        one.prediction.key: one
        for one in facts.resources
        if one.prediction.key.group == RBAC and one.action != "hook"
    }
    old, new = _documents(resources, old=True), _documents(resources, old=False)
    if old == new:
        return Rbac()
    lists = facts.cluster.lists
    before = list(_given(old, KnownRoles.of(old, lists)))
    after = list(_given(new, KnownRoles.of(new, lists)))
    had, has = _by_subject(before), _by_subject(after)
    freed = {one.right for one in before if not _has(one.right, has[one.right.subject])}
    found: dict[tuple[ResourceKey, ResourceKey, Right], list[str]] = defaultdict(list)
    for one in after:
        right = one.right
        if _has(right, had[right.subject]) or _has(right, freed):
            continue
        cause = _cause(one, old, new)
        what = Right(right.subject, right.place, right.group, right.resource, "", right.name)
        verbs = found[(cause, one.role, what)]
        verbs += [right.verb] if right.verb and right.verb not in verbs else []
    return Rbac(
        tuple(_grant(resources[cause], role, right, verbs) for (cause, role, right), verbs in found.items())
    )


def _documents(
    resources: Mapping[ResourceKey, ResourceChange], *, old: bool
) -> dict[ResourceKey, JSONObject]:
    bodies = {key: one.prediction.previous if old else one.prediction.new for key, one in resources.items()}
    return {key: body for key, body in bodies.items() if body is not None}


def _given(documents: Documents, roles: KnownRoles) -> Iterator[_Given]:
    """Every right that the manifest's bindings and aggregated roles hand out."""
    for key, body in documents.items():
        if key.kind not in BINDINGS:
            continue
        role = role_of(key, body)
        place = key.namespace if key.kind == "RoleBinding" else None
        rules = roles.rules_of(role)
        for subject in subjects_of(key, body):
            if rules is None:
                yield _Given(Right(subject, place, "", str(role), ""), role, key)
            for rule in rules or ():
                for right in rights_of_rule(rule, subject, place):
                    yield _Given(right, role, key)
    for key, body in documents.items():
        if key.kind == "ClusterRole":
            yield from _shared(key, body, roles)


def _shared(key: ResourceKey, body: JSONObject, roles: KnownRoles) -> Iterator[_Given]:
    """Rights that whoever has ``admin``, ``edit`` or ``view`` gets, because the role bears their label."""
    labels = mapping(mapping(body.get("metadata")).get("labels"))
    for role in _SHARING:
        if labels.get(f"{RBAC}/aggregate-to-{role}") not in ("true", True):
            continue
        subject = Subject("ClusterRole", None, role)
        base = [
            right
            for rule in builtin_roles()[ResourceKey(RBAC, "ClusterRole", None, role)]
            for right in rights_of_rule(rule, subject, None)
        ]
        for rule in roles.rules_of(key) or ():
            for right in rights_of_rule(rule, subject, None):
                if not _has(right, base):
                    yield _Given(right, key, None)


_SHARING = ("admin", "edit", "view")


def _by_subject(given: Iterable[_Given]) -> defaultdict[Subject, set[Right]]:
    found: defaultdict[Subject, set[Right]] = defaultdict(set)
    for one in given:
        found[one.right.subject].add(one.right)
    return found


def _has(right: Right, rights: Collection[Right]) -> bool:
    return right in rights or any(covers(other, right) for other in rights)


def _cause(one: _Given, old: Documents, new: Documents) -> ResourceKey:
    """The binding where it is new or hands out more, else the role that grew."""
    if one.binding is None:
        return one.role
    before = old.get(one.binding)
    is_new = (
        before is None
        or role_of(one.binding, before) != one.role
        or one.right.subject not in set(subjects_of(one.binding, before))
    )
    return one.binding if is_new or one.role not in new else one.role


def _grant(cause: ResourceChange, role: ResourceKey, right: Right, verbs: list[str]) -> Grant:
    key = cause.prediction.key
    lacks = "cluster.clusterRoles" if role.kind == "ClusterRole" else "cluster.roles"
    return Grant(
        ref=str(key),
        kind=key.kind,
        namespace=key.namespace,
        name=key.name,
        action=cause.action,
        subject=str(right.subject),
        account_namespace=right.subject.namespace,
        role=str(role),
        place=right.place,
        group=right.group,
        resource=right.resource if verbs else "",
        verbs=tuple(verbs),
        object_name=right.name,
        rules_known=True if verbs else UNKNOWN,
        lacks=() if verbs else (lacks,),
    )
