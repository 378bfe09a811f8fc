"""The live custom resources of a definition: the first thousand of them, and how many there are."""

from __future__ import annotations

import msgspec

from helmguard.cluster.connection import continue_token
from helmguard.cluster.custom_resources import read_crds
from helmguard.cluster.fact_reader import METADATA_ALONE, FactReader, Unread
from helmguard.cluster.fact_trimming import custom_resource
from helmguard.cluster.object_paths import collection_path
from helmguard.model.discovery import Discovery, ServedKind
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, Unreadable

MOST_BODIES = 1000


class Instances(msgspec.Struct, frozen=True):
    """``count`` is all there are, ``bodies`` those that were kept."""

    bodies: tuple[JSONObject, ...] = ()
    count: int = 0


def read_instances(reader: FactReader, discovery: Discovery, definition: str) -> Instances | Unread:
    """The instances of ``widgets.example.com`` in all namespaces, read in the version the server prefers."""
    plural, _, group = definition.partition(".")
    served = [kind for kind in discovery.kinds if (kind.plural, kind.group) == (plural, group)]
    if served:
        return reader.attempt(definition, lambda: _list(reader, served[0]))
    return reader.attempt(definition, lambda: _of_unserved(reader, discovery, definition))


def _of_unserved(reader: FactReader, discovery: Discovery, definition: str) -> Instances | Unread:
    state = read_crds(reader.connection, discovery, [definition])[definition]
    if isinstance(state, Absent):
        return Instances()
    if isinstance(state, Unreadable):
        return Unread(state.why)
    return Unread(f"{definition} could not be listed: the API server serves no version of it")


def _list(reader: FactReader, kind: ServedKind) -> Instances:
    path = collection_path(kind, None)
    bodies: list[JSONObject] = []
    token = ""
    while True:
        page = reader.connection.list_page(path, limit=min(reader.page, MOST_BODIES), token=token)
        bodies += [custom_resource(body, kind) for body in page.get("items") or []]
        token = continue_token(page)
        if not token:
            return Instances(tuple(bodies), len(bodies))
        if len(bodies) >= MOST_BODIES:
            return Instances(tuple(bodies), len(bodies) + _remaining(reader, path, page, token))


def _remaining(reader: FactReader, path: str, page: JSONObject, token: str) -> int:
    """How many come after this page: the server may tell, else they are counted without their contents."""
    remaining = (page.get("metadata") or {}).get("remainingItemCount")
    if isinstance(remaining, int):
        return remaining
    count = 0
    while token:
        page = reader.connection.list_page(path, accept=METADATA_ALONE, limit=reader.page, token=token)
        count += len(page.get("items") or [])
        token = continue_token(page)
    return count
