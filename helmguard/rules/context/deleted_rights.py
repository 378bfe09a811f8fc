"""Who loses which rights when roles and bindings go: effective rights before against after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.access_rights import (
    BINDINGS,
    Right,
    Subject,
    covers,
    in_words,
    rights_of_rule,
    role_of,
    subjects_of,
)
from helmguard.rules.context.manifest_maps import maps_in
from helmguard.rules.context.named_objects import RBAC, pod_spec_of
from helmguard.rules.context.record import Record

Documents = Mapping[ResourceKey, JSONObject]


class RightLoss(Record, frozen=True):
    """One subject and what it may no longer do."""

    subject: Annotated[str, "`ServiceAccount/web`, `Group/team`"]
    namespace: Annotated[str | None, "a ServiceAccount's namespace"] = None
    rights: Annotated[tuple[str, ...], "`get, list secrets`; a role outside the manifest by its name"] = ()
    in_use: Annotated[bool, "a workload or hook of the new manifest runs as it"] = False
    outside: Annotated[bool, "a user, a group, or an account that is not of this release"] = False


def lost_rights(
    old: Documents, new: Documents, going: Iterable[ResourceKey]
) -> dict[ResourceKey, tuple[RightLoss, ...]]:
    """What goes with each role and binding, where nothing in the new manifest grants it.

    What goes with a binding is told there, not at its role.
    """
    gone = set(going)
    bindings = {key: body for key, body in old.items() if key.kind in BINDINGS and key.group == RBAC}
    if not any(key.group == RBAC for key in gone):
        return {}
    granted = _by_subject(
        right for key, body in new.items() if key.kind in BINDINGS for right in _rights(key, body, new)
    )
    used, own = set(_accounts_in_use(new)), {key for key in (*old, *new) if key.kind == "ServiceAccount"}
    found: dict[ResourceKey, list[Right]] = defaultdict(list)
    for key, body in bindings.items():
        place = key if key in gone else role_of(key, body)
        if place in gone:
            found[place] += [right for right in _rights(key, body, old) if not _is_covered(right, granted)]
    return {key: tuple(_losses(rights, used, own)) for key, rights in found.items() if rights}


_Granted = Mapping[Subject, list[Right]]


def _by_subject(rights: Iterable[Right]) -> _Granted:
    found: dict[Subject, list[Right]] = defaultdict(list)
    for right in rights:
        found[right.subject].append(right)
    return found


def _rights(key: ResourceKey, body: JSONObject, documents: Documents) -> Iterator[Right]:
    role = role_of(key, body)
    place = key.namespace if key.kind == "RoleBinding" else None
    for subject in subjects_of(key, body):
        document = documents.get(role)
        if document is None:
            yield Right(subject, place, "", f"{role.kind}/{role.name}", "")
            continue
        for _, rule in maps_in(document.get("rules")):
            yield from rights_of_rule(rule, subject, place)


def _is_covered(right: Right, granted: _Granted) -> bool:
    return any(covers(other, right) for other in granted.get(right.subject, ()))


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
        yield RightLoss(str(subject), subject.namespace, tuple(in_words(lost)), in_use, outside)
