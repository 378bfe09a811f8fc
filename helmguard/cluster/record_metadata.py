"""The metadata of one release record, without what it holds."""

from __future__ import annotations

from urllib.parse import quote

from helmguard.cluster.connection import JSON, Connection
from helmguard.cluster.storage_driver import storage_driver
from helmguard.errors import ClusterError
from helmguard.model.json_value import JSONObject

_METADATA = f"application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,{JSON}"


def read_record_metadata(connection: Connection, namespace: str, storage_name: str) -> JSONObject:
    """The metadata with ``managedFields``; empty where they cannot be read."""
    path = f"{storage_driver(connection.driver).path(namespace)}/{quote(storage_name, safe='')}"
    try:
        return dict(connection.get_json(path, accept=_METADATA).get("metadata") or {})
    except ClusterError:
        return {}
