"""Whether the release's namespace is there."""

from __future__ import annotations

from helmguard.cluster.connection import Connection
from helmguard.cluster.live_objects import read_object
from helmguard.model.discovery import ServedKind
from helmguard.model.live_state import LiveState
from helmguard.model.resource_key import ResourceKey

_NAMESPACE = ServedKind("v1", "Namespace", "namespaces", namespaced=False)


def read_namespace(connection: Connection, name: str) -> LiveState:
    """The Namespace object: ``Present``, ``Absent``, or ``Unreadable`` where the user may not get it."""
    return read_object(connection, _NAMESPACE, ResourceKey("", "Namespace", None, name))
