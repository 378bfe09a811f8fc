"""What the API server holds, to see that a dry run leaves no trace."""

from __future__ import annotations

import json
from functools import partial
from itertools import chain
from typing import Any

from controlplane.client import ControlPlane

from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.custom_resources import is_built_in_group
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.object_paths import collection_path
from helmguard.model.discovery import Discovery, ServedKind

_COME_AND_GO = ("Event", "Lease")
_LIVELY = ("Deployment", "ReplicaSet", "Pod", "Job", "DaemonSet", "StatefulSet", "Endpoints", "EndpointSlice")
"""Kinds whose status controllers write at any time: their contents are compared, not their versions."""


def versions(connection: Connection, discovery: Discovery, namespaces: set[str]) -> dict[str, str]:
    """The state of every object in the namespaces, and of every cluster-scoped one."""
    tasks = [
        partial(_states, connection, kind, space)
        for kind in _listable(discovery)
        for space in (sorted(namespaces) if kind.namespaced else [None])
    ]
    return dict(chain.from_iterable(states.items() for states in run_concurrently(tasks)))


def quiet_versions(cluster: ControlPlane, namespace: str) -> dict[str, str]:
    """The state of every object in one namespace, once its controllers have come to rest."""
    connection = connect(KubeOptions(kubeconfig=str(cluster.kubeconfig), namespace=namespace))
    # Other tests' definitions come and go meanwhile.
    kinds = [
        kind
        for kind in read_discovery(connection).kinds
        if kind.namespaced and (is_built_in_group(kind.group) or kind.group.startswith(namespace))
    ]
    discovery = Discovery.of("", kinds)
    before: dict[str, str] = {}
    for _ in range(100):
        now = versions(connection, discovery, {namespace})
        if now == before:
            return now
        before = now
    raise TimeoutError(f"{namespace} does not come to rest")


def _listable(discovery: Discovery) -> list[ServedKind]:
    return [kind for kind in discovery.kinds if "list" in kind.verbs and kind.kind not in _COME_AND_GO]


def _states(connection: Connection, kind: ServedKind, namespace: str | None) -> dict[str, str]:
    path = collection_path(kind, namespace)
    return {f"{path}/{item['metadata']['name']}": _state(kind, item) for item in connection.list_all(path)}


def _state(kind: ServedKind, item: dict[str, Any]) -> str:
    metadata = item["metadata"]
    if kind.kind not in _LIVELY:
        return str(metadata.get("resourceVersion", ""))
    kept = {
        name: value for name, value in metadata.items() if name not in ("resourceVersion", "managedFields")
    }
    return json.dumps({**item, "metadata": kept, "status": None}, sort_keys=True)
