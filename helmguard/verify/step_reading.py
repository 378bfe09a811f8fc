"""Reading the objects that steps ask for, trimmed to the fields that they need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

import msgspec

from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connection import Connection
from helmguard.cluster.fact_reader import FactReader, Unread
from helmguard.cluster.object_paths import collection_path
from helmguard.compare.find_field import find_field
from helmguard.model.discovery import Discovery
from helmguard.model.field_change import MISSING
from helmguard.model.json_value import JSONObject
from helmguard.rules.engine.verification_steps import Read


class StepFacts(msgspec.Struct, frozen=True):
    """Lists by the names of their reads; ``unread`` says why one is not there."""

    lists: Mapping[str, list[JSONObject]]
    unread: Mapping[str, str]


def read_lists(
    connection: Connection, discovery: Discovery, reads: Iterable[Read], namespace: str
) -> StepFacts:
    """One list for each read, side by side. A kind that is not served has no objects.

    Never raises for what the API server refuses, or for its silence.
    """
    reader, wanted = FactReader(connection), list(reads)
    found = run_concurrently([partial(_read, reader, discovery, read, namespace) for read in wanted])
    lists: dict[str, list[JSONObject]] = {}
    unread: dict[str, str] = {}
    for read, items in zip(wanted, found, strict=True):
        if isinstance(items, Unread):
            unread[read.name] = items.why
        else:
            lists[read.name] = items
    return StepFacts(lists, unread)


def _read(reader: FactReader, discovery: Discovery, read: Read, namespace: str) -> list[JSONObject] | Unread:
    kind = discovery.find(read.api_version, read.kind)
    if kind is None:
        if read.api_version in discovery.unavailable:
            return Unread(f"the API server behind {read.api_version} does not answer discovery")
        return []
    place = namespace if read.own_namespace and kind.namespaced else None
    query = {
        name: text
        for name, text in (("labelSelector", read.label_selector), ("fieldSelector", read.field_selector))
        if text
    }
    what = f"{kind.plural} in namespace {place}" if place else kind.plural
    path = collection_path(kind, place)

    def trim(body: JSONObject) -> JSONObject:
        return trimmed(body, read)

    return reader.attempt(what, lambda: reader.connection.collect(path, trim, query))


def trimmed(body: JSONObject, read: Read) -> JSONObject:
    """The fields that are to be kept, without managedFields in any case."""
    if not read.keep:
        metadata = {
            name: value for name, value in (body.get("metadata") or {}).items() if name != "managedFields"
        }
        return {**body, "metadata": metadata}
    kept: JSONObject = {}
    for path in read.keep:
        value = find_field(body, path)
        if value is MISSING:
            continue
        here = kept
        for step in path[:-1]:
            here = here.setdefault(step, {})
        here[path[-1]] = value
    return kept
