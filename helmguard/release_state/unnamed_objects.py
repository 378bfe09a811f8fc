"""Live objects with the release's marks that no stored manifest names: left by revisions since removed."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.cluster.connection import Connection
from helmguard.cluster.labelled_objects import Place, read_labelled_objects
from helmguard.model.discovery import Discovery
from helmguard.model.plan import LeftOver, Unknown
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.deletions import is_kept
from helmguard.predict.ownership import MANAGED_BY, wrong_marks

Named = dict[ResourceKey, str]
"""All keys that manifests and hooks name, with the apiVersion."""


def unnamed_objects(
    connection: Connection, discovery: Discovery, named: Named, release: str, namespace: str
) -> tuple[tuple[LeftOver, ...], tuple[Unknown, ...]]:
    """Looked for among the kinds that the stored revisions use, in the namespaces that they use.

    Revision 0 stands for one that is not stored any more.
    """
    places = list(dict.fromkeys(_places(discovery, named, namespace)))
    objects, failed = read_labelled_objects(connection, places, f"{MANAGED_BY}=Helm")
    found = [
        LeftOver(
            item.key,
            item.api_version,
            0,
            "",
            is_kept({"metadata": item.metadata}),
            str(item.metadata.get("creationTimestamp") or ""),
        )
        for item in objects
        if item.key not in named and not wrong_marks({"metadata": item.metadata}, release, namespace)
    ]
    unknown = tuple(
        Unknown(kind, f"whether others of this kind are left over is not known: {why}")
        for kind, why in failed.items()
    )
    return tuple(sorted(found, key=lambda left: left.key.sort_key())), unknown


def _places(discovery: Discovery, named: Named, namespace: str) -> Iterator[Place]:
    for key, api_version in named.items():
        kind = discovery.find(api_version, key.kind)
        if kind is not None and "list" in kind.verbs:
            yield kind, key.namespace
            if key.namespace is not None:
                yield kind, namespace
