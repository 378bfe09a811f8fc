"""Reading the wanted objects: lists where they win over single reads, each failure kept to its objects."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import msgspec

from helmguard.cluster.api_errors import ApiStatusError, NotFoundError, RequestTimeoutError
from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connection import Connection
from helmguard.cluster.object_lists import list_objects
from helmguard.cluster.object_paths import object_path
from helmguard.errors import PermissionDeniedError
from helmguard.model.discovery import Discovery, ServedKind
from helmguard.model.live_state import Absent, KindNotServed, LiveState, Present, Unreadable
from helmguard.model.resource_key import ResourceKey

_LIST_FROM = 3
"""Wanted objects of one kind and namespace from which a list beats single reads (measured: 2 to 3)."""


class _Wanted(msgspec.Struct, frozen=True):
    key: ResourceKey
    kind: ServedKind


def read_live(
    connection: Connection, discovery: Discovery, wanted: Iterable[tuple[ResourceKey, str]]
) -> dict[ResourceKey, LiveState]:
    """The live state of each ``(key, api_version)``, read in that very version.

    Where one key is asked for in two versions, the last one counts. What cannot be read (RBAC, timeout, a
    broken aggregated API) is ``Unreadable`` with the reason.

    Raises:
        ClusterError: nothing can be read at all: the server is unreachable or refuses the credentials.
    """
    states: dict[ResourceKey, LiveState] = {}
    groups: dict[tuple[ServedKind, str | None], list[_Wanted]] = {}
    versions = dict(wanted)
    for key, api_version in versions.items():
        kind = discovery.find(api_version, key.kind)
        refusal = _refusal(discovery, kind, key, api_version)
        if refusal is not None:
            states[key] = refusal
        elif kind is not None:
            place = (kind, key.namespace if kind.namespaced else None)
            groups.setdefault(place, []).append(_Wanted(key, kind))
    singles = _read_lists(connection, groups, states)
    states.update(_read_singles(connection, singles))
    return {key: states[key] for key in versions}


def _refusal(
    discovery: Discovery, kind: ServedKind | None, key: ResourceKey, api_version: str
) -> LiveState | None:
    """Why the object need not be asked for, None where it must be."""
    if kind is None:
        if api_version in discovery.unavailable:
            return Unreadable(f"the API server behind {api_version} does not answer discovery")
        return KindNotServed(api_version, key.kind)
    if "get" not in kind.verbs and kind.verbs:
        return Unreadable(f"{key.kind} objects cannot be read back from the API server")
    if kind.namespaced and not key.namespace:
        return Unreadable(f"{key.kind} objects live in a namespace, and none is given")
    return None


def _read_lists(
    connection: Connection,
    groups: dict[tuple[ServedKind, str | None], list[_Wanted]],
    states: dict[ResourceKey, LiveState],
) -> list[_Wanted]:
    """Put what lists tell into ``states``; what is left must be read one by one."""
    listable = {
        place: members
        for place, members in groups.items()
        if len(members) >= _LIST_FROM and "list" in place[0].verbs
    }
    tasks = [
        partial(_list_group, connection, kind, namespace, members)
        for (kind, namespace), members in listable.items()
    ]
    for known in run_concurrently(tasks):
        states.update(known)
    return [member for members in groups.values() for member in members if member.key not in states]


def _list_group(
    connection: Connection, kind: ServedKind, namespace: str | None, members: list[_Wanted]
) -> dict[ResourceKey, LiveState]:
    keys = {member.key.name: member.key for member in members}
    try:
        listing = list_objects(connection, kind, namespace, keys)
    except (PermissionDeniedError, RequestTimeoutError, ApiStatusError):
        # Whether single reads fare better, they will tell, each with its own reason.
        return {}
    known: dict[ResourceKey, LiveState] = {keys[name]: Present(body) for name, body in listing.found.items()}
    if listing.complete:
        for key in keys.values():
            known.setdefault(key, Absent())
    return known


def _read_singles(connection: Connection, wanted: list[_Wanted]) -> dict[ResourceKey, LiveState]:
    """One GET each; where the first of a kind and namespace fails as a whole, the others are not tried."""
    broken: dict[tuple[ServedKind, str | None], Unreadable] = {}

    def read(member: _Wanted) -> LiveState:
        place = (member.kind, member.key.namespace)
        if place in broken:
            return broken[place]
        state = read_object(connection, member.kind, member.key)
        if isinstance(state, _ServerTrouble):
            broken[place] = Unreadable(state.why)
        return Unreadable(state.why) if isinstance(state, _ServerTrouble) else state

    states = run_concurrently([partial(read, member) for member in wanted])
    return {member.key: state for member, state in zip(wanted, states, strict=True)}


class _ServerTrouble(Unreadable, frozen=True):
    """A failure of the server for the whole kind: asking it for the next object would only take as long."""


def read_object(connection: Connection, kind: ServedKind, key: ResourceKey) -> LiveState:
    """One object by GET.

    Raises:
        ClusterError: the server is unreachable or refuses the credentials.
    """
    try:
        return Present(connection.get_json(object_path(kind, key.namespace, key.name)))
    except NotFoundError as error:
        return KindNotServed(kind.api_version, kind.kind) if error.path_unknown else Absent()
    except PermissionDeniedError as error:
        return Unreadable(error.message)
    except (RequestTimeoutError, ApiStatusError) as error:
        return _ServerTrouble(error.message)
