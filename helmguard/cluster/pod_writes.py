"""The only objects that helmguard writes itself: the test pods that ``--test-pod`` asks for."""

from __future__ import annotations

from urllib.parse import quote

from helmguard.cluster.connection import Connection
from helmguard.model.json_value import JSONObject


def create_pod(connection: Connection, namespace: str, body: JSONObject) -> None:
    """Raises ``ClusterError`` where the server refuses, 409 where a pod of this name is there already."""
    connection.write("POST", _pods(namespace), body)


def read_pod(connection: Connection, namespace: str, name: str) -> JSONObject:
    """The pod as it is now."""
    return connection.get_json(f"{_pods(namespace)}/{quote(name)}")


def delete_pod(connection: Connection, namespace: str, name: str) -> None:
    """Raises ``NotFoundError`` where it is gone already."""
    connection.write("DELETE", f"{_pods(namespace)}/{quote(name)}", {})


def _pods(namespace: str) -> str:
    return f"/api/v1/namespaces/{quote(namespace)}/pods"
