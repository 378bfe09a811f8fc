"""Reading what the cluster knows of its nodes' runtimes.

Rights: ``list`` on nodes, pods and daemonsets.apps, runtimeclasses.node.k8s.io, and events, all of the whole
cluster. What may not be read is unknown, by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from helmguard.cluster.cluster_facts import read_facts
from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.fact_reader import FactReader, Unread, joined
from helmguard.cluster.fact_trimming import trimmed
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.object_paths import collection_path
from helmguard.model.cluster_facts import ClusterFacts, WantedFacts
from helmguard.model.discovery import Discovery, ServedKind
from helmguard.model.json_value import JSONObject
from helmguard.rules.context.handler_stuck import hanging_pods

NAMES: Final = ("nodes", "runtimeClasses", "allPods", "allDaemonSets")
_EVENTS: Final = {"fieldSelector": "type=Warning,involvedObject.kind=Pod"}
_NAMESPACES: Final = 16
"""Where pods hang in more namespaces than these, the events of all are read at once."""


def read_cluster_side(options: KubeOptions, environ: Mapping[str, str] | None = None) -> ClusterFacts:
    """Nodes, RuntimeClasses, pods and DaemonSets of the cluster, and the warnings about pods that hang.

    Events are read in the namespaces where pods are on a node and do not run; in ``options.namespace`` alone
    where that is given. What the API server refuses is in ``unread``, with the right that is missing.

    Raises:
        ClusterError: there is no API server to ask, or it does not take this user.
    """
    connection = connect(options, environ)
    try:
        discovery = read_discovery(connection)
        facts = read_facts(connection, discovery, WantedFacts(NAMES, ()))
        return facts.with_more(_read_events(connection, discovery, facts, options.namespace))
    finally:
        connection.close()


def _read_events(
    connection: Connection, discovery: Discovery, facts: ClusterFacts, namespace: str
) -> ClusterFacts:
    """Without the pods nobody knows whose events matter: those are left unread then."""
    kind = discovery.find("v1", "Event")
    if kind is None or "allPods" not in facts.lists:
        return ClusterFacts()
    hanging = {pod.ref.partition("/")[0] for pod in hanging_pods(facts)}
    asked: list[str | None] = [*sorted(hanging & {namespace} if namespace else hanging)]
    if len(asked) > _NAMESPACES:
        asked = [None]
    reader = FactReader(connection)
    found = run_concurrently([partial(_list_warnings, reader, kind, one) for one in asked])
    failed = [one.why for one in found if isinstance(one, Unread)]
    if failed:
        return ClusterFacts(unread={"events": joined(failed)})
    events = [event for one in found if not isinstance(one, Unread) for event in one]
    return ClusterFacts(lists={"events": tuple(events)}, namespaces=tuple(one for one in asked if one))


def _list_warnings(reader: FactReader, kind: ServedKind, namespace: str | None) -> list[JSONObject] | Unread:
    def read() -> list[JSONObject]:
        return reader.connection.collect(
            collection_path(kind, namespace), lambda body: trimmed(body, kind), _EVENTS, limit=reader.page
        )

    return reader.attempt(f"events in namespace {namespace}" if namespace else "events", read)
