"""Reading what is live around a release: lists of whole kinds, each failure kept to its list."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import TypeVar

from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connection import Connection
from helmguard.cluster.definition_instances import Instances, read_instances
from helmguard.cluster.fact_reader import PAGE, FactReader, Unread, joined
from helmguard.cluster.fact_trimming import trim_of
from helmguard.cluster.namespace_contents import gather_contents, kinds_of_contents
from helmguard.model.cluster_facts import (
    CUSTOM_RESOURCES,
    FACT_KINDS,
    NAMESPACE_CONTENTS,
    ClusterFacts,
    FactKind,
    WantedFacts,
)
from helmguard.model.discovery import Discovery, ServedKind
from helmguard.model.json_value import JSONObject

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def read_facts(
    connection: Connection, discovery: Discovery, wanted: WantedFacts, *, page: int = PAGE
) -> ClusterFacts:
    """Read what is wanted; never raises for what the API server refuses, or for its silence.

    What cannot be read stays out, and ``unread`` says why. A kind that is not served has no objects; one that
    is served in other versions only is unread, since its fields may have other names there. ``page`` is the
    number of objects asked for at a time.
    """
    reader = FactReader(connection, page)
    facts = _read_lists(reader, discovery, wanted)
    if CUSTOM_RESOURCES in wanted.names:
        facts = facts.with_more(_read_custom_resources(reader, discovery, wanted.definitions))
    if NAMESPACE_CONTENTS in wanted.names:
        facts = facts.with_more(_read_contents(reader, discovery, wanted.deleted_namespaces))
    return facts


def _read_lists(reader: FactReader, discovery: Discovery, wanted: WantedFacts) -> ClusterFacts:
    namespaces = tuple(dict.fromkeys(wanted.namespaces))
    tasks: dict[tuple[FactKind, str | None], Callable[[], list[JSONObject] | Unread]] = {}
    for fact in FACT_KINDS:
        if fact.name not in wanted.names:
            continue
        for namespace in namespaces if fact.scope == "namespaces" else (None,):
            tasks[fact, namespace] = partial(_read_list, reader, discovery, fact, namespace)
    lists: dict[str, tuple[JSONObject, ...]] = {}
    failed: dict[str, list[str]] = {}
    for (fact, _), listed in _run(tasks).items():
        if isinstance(listed, Unread):
            failed.setdefault(fact.name, []).append(listed.why)
        else:
            lists[fact.name] = (*lists.get(fact.name, ()), *listed)
    return ClusterFacts(
        lists={name: items for name, items in lists.items() if name not in failed},
        namespaces=namespaces,
        unread={name: joined(reasons) for name, reasons in failed.items()},
    )


def _read_list(
    reader: FactReader, discovery: Discovery, fact: FactKind, namespace: str | None
) -> list[JSONObject] | Unread:
    kind = _served(discovery, fact)
    if kind is None:
        return []
    if isinstance(kind, Unread):
        return kind
    if fact.metadata_only:
        return reader.list_metadata(kind, namespace)
    return reader.list_objects(kind, namespace, trim_of(fact.name))


def _served(discovery: Discovery, fact: FactKind) -> ServedKind | Unread | None:
    """The kind to list; None where the server serves it in no version."""
    kind = discovery.find(fact.api_version, fact.kind)
    if kind is not None:
        return kind
    if fact.api_version in discovery.unavailable:
        return Unread(f"the API server behind {fact.api_version} does not answer discovery")
    group = fact.api_version.rpartition("/")[0]
    others = [kind.api_version for kind in discovery.kinds if (kind.group, kind.kind) == (group, fact.kind)]
    if others:
        return Unread(f"the API server serves {fact.kind} in {', '.join(others)}, not in {fact.api_version}")
    return None


def _read_custom_resources(
    reader: FactReader, discovery: Discovery, definitions: tuple[str, ...]
) -> ClusterFacts:
    read = _run({name: partial(read_instances, reader, discovery, name) for name in definitions})
    instances = {name: found for name, found in read.items() if isinstance(found, Instances)}
    failed = [found.why for found in read.values() if isinstance(found, Unread)]
    return ClusterFacts(
        custom_resources={name: found.bodies for name, found in instances.items()},
        custom_resource_counts={name: found.count for name, found in instances.items()},
        unread={CUSTOM_RESOURCES: joined(failed)} if failed else {},
    )


def _read_contents(reader: FactReader, discovery: Discovery, namespaces: tuple[str, ...]) -> ClusterFacts:
    kinds = kinds_of_contents(discovery)
    read = _run(
        {
            (namespace, kind): partial(reader.list_metadata, kind, namespace)
            for namespace in namespaces
            for kind in kinds
        }
    )
    contents: dict[str, tuple[JSONObject, ...]] = {}
    missing: list[str] = []
    for namespace in namespaces:
        found, why = gather_contents(
            namespace, {kind: read[namespace, kind] for kind in kinds}, discovery.unavailable
        )
        if found is not None:
            contents[namespace] = found
        if why:
            missing.append(why)
    return ClusterFacts(
        namespace_contents=contents, unread={NAMESPACE_CONTENTS: joined(missing)} if missing else {}
    )


def _run(tasks: Mapping[K, Callable[[], T]]) -> dict[K, T]:
    return dict(zip(tasks, run_concurrently(list(tasks.values())), strict=True))
