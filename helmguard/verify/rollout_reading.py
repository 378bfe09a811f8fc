"""Reading what lies around workloads that are not done: ReplicaSets, pods, warnings, claims, nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import quote

from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connection import Connection
from helmguard.cluster.fact_reader import FactReader, Unread
from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.verify.rollout_reasons import Surrounding, claims_of, needs_attention

_MOST_NODES = 5
_LISTS = {
    "replica_sets": "/apis/apps/v1/namespaces/{}/replicasets",
    "pods": "/api/v1/namespaces/{}/pods",
    "events": "/api/v1/namespaces/{}/events",
    "claims": "/api/v1/namespaces/{}/persistentvolumeclaims",
}
_QUERIES: dict[str, dict[str, str]] = {"events": {"fieldSelector": "type=Warning"}}


def read_surrounding(connection: Connection, workloads: Mapping[ResourceKey, JSONObject]) -> Surrounding:
    """One list a kind and namespace; what may not be read is said. Claims and nodes only where pods ask."""
    reader = FactReader(connection)
    namespaces = sorted({key.namespace for key in workloads if key.namespace})
    kinds = ["pods", "events"]
    if any(key.kind == "Deployment" for key in workloads):
        kinds.insert(0, "replica_sets")
    found, unread = _lists(reader, kinds, namespaces)
    waiting = [pod for pod in found["pods"] if needs_attention(pod)]
    if any(claims_of(pod) for pod in waiting):
        more, missing = _lists(reader, ["claims"], namespaces)
        found |= more
        unread += missing
    return Surrounding(
        **{kind: tuple(items) for kind, items in found.items()},
        nodes=tuple(_nodes(reader, waiting)),
        unread=tuple(unread),
    )


def read_events_of(connection: Connection, key: ResourceKey) -> list[JSONObject]:
    """The events about one object of a namespace, by its name; none where they may not be read."""
    query = {"fieldSelector": f"involvedObject.kind={key.kind},involvedObject.name={key.name}"}
    path = _LISTS["events"].format(quote(key.namespace or ""))
    found = FactReader(connection).attempt("events", lambda: connection.list_all(path, query))
    return [] if isinstance(found, Unread) else found


def _lists(
    reader: FactReader, kinds: list[str], namespaces: list[str]
) -> tuple[dict[str, list[JSONObject]], list[str]]:
    places = [(kind, namespace) for kind in kinds for namespace in namespaces]
    read = run_concurrently([partial(_list, reader, kind, namespace) for kind, namespace in places])
    found: dict[str, list[JSONObject]] = {kind: [] for kind in kinds}
    unread = []
    for (kind, _), items in zip(places, read, strict=True):
        if isinstance(items, Unread):
            unread.append(items.why)
        else:
            found[kind] += items
    return found, unread


def _list(reader: FactReader, kind: str, namespace: str) -> list[JSONObject] | Unread:
    what = f"{kind.replace('_', ' ')} in namespace {namespace}"
    path = _LISTS[kind].format(quote(namespace))
    return reader.attempt(what, lambda: reader.connection.list_all(path, _QUERIES.get(kind)))


def _nodes(reader: FactReader, pods: list[JSONObject]) -> list[JSONObject]:
    """The nodes of pods that are not ready; without the right to read them nothing is known about them."""
    names = sorted({str(pod["spec"]["nodeName"]) for pod in pods if (pod.get("spec") or {}).get("nodeName")})
    tasks: list[Callable[[], JSONObject | Unread]] = [
        partial(_node, reader, name) for name in names[:_MOST_NODES]
    ]
    return [node for node in run_concurrently(tasks) if not isinstance(node, Unread)]


def _node(reader: FactReader, name: str) -> JSONObject | Unread:
    return reader.attempt(f"node {name}", lambda: reader.connection.get_json(f"/api/v1/nodes/{quote(name)}"))
