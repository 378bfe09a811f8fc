"""Names and metadata of the objects that bear a label, over several kinds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

import msgspec

from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connection import METADATA_LIST, Connection
from helmguard.cluster.object_paths import collection_path
from helmguard.errors import ClusterError
from helmguard.model.discovery import ServedKind
from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey

_PAGE = 500

Place: TypeAlias = tuple[ServedKind, "str | None"]
"""A kind, and the namespace to list it in (None for a kind without)."""


class LabelledObject(msgspec.Struct, frozen=True):
    """Its key, the version it was listed in, and its metadata."""

    key: ResourceKey
    api_version: str
    metadata: JSONObject


def read_labelled_objects(
    connection: Connection, places: Sequence[Place], selector: str
) -> tuple[list[LabelledObject], dict[str, str]]:
    """The objects, and by kind why it could not be listed. Metadata alone are read."""
    tasks = [partial(_list, connection, kind, namespace, selector) for kind, namespace in places]
    found: list[LabelledObject] = []
    failed: dict[str, str] = {}
    for (kind, _), listed in zip(places, run_concurrently(tasks), strict=True):
        if isinstance(listed, str):
            failed[kind.kind] = listed
        else:
            found += listed
    return found, failed


def _list(
    connection: Connection, kind: ServedKind, namespace: str | None, selector: str
) -> list[LabelledObject] | str:
    path = collection_path(kind, namespace)
    try:
        items = connection.list_all(path, {"labelSelector": selector}, accept=METADATA_LIST, limit=_PAGE)
    except ClusterError as error:
        return error.message
    return [
        LabelledObject(
            ResourceKey.of(kind.api_version, kind.kind, namespace, str(item["metadata"].get("name"))),
            kind.api_version,
            item["metadata"],
        )
        for item in items
    ]
