"""Reading back what the collecting pods printed: the facts of each node, by the API server.

Rights: ``list`` on pods and daemonsets.apps and ``get`` on pods/log in the namespace; ``list`` on events,
to say why a pod does not start; ``list`` on nodes, for their labels and versions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from helmguard.cluster.concurrently import run_concurrently
from helmguard.cluster.connection import Connection
from helmguard.errors import ClusterError, NodeFactsError, PermissionDeniedError
from helmguard.model.json_value import JSONObject
from helmguard.model.node_facts import NodeFacts
from helmguard.node.gather_log import facts_in_log
from helmguard.node.gather_pods import CollectingPod, collecting_pods, expected_nodes, unplaced_reasons
from helmguard.node.manifest import CONTAINER, PART, PART_LABEL
from helmguard.rules.context.manifest_maps import mapping

DEFAULT_SELECTOR: Final = f"{PART_LABEL}={PART}"
LARGEST_LOG: Final = 32 << 20
"""Bytes of a pod's log that are read: facts of a node are some 100 KiB."""
_LAST_LINES: Final = 200
_POLL_SECONDS: Final = 1.0


class GatheredNode(msgspec.Struct, frozen=True):
    """A node with its facts, or with the reason why there are none, in words."""

    name: str
    facts: NodeFacts | None = None
    why: str = ""


class Gathering(msgspec.Struct, frozen=True):
    """``nodes`` are those that a pod was meant for; ``others`` have none: no DaemonSet selects them, or their
    taints keep it away. ``unread`` says what the API server refused beside, by what it would have told."""

    nodes: tuple[GatheredNode, ...] = ()
    others: tuple[str, ...] = ()
    unread: Mapping[str, str] = {}

    @property
    def found(self) -> tuple[NodeFacts, ...]:
        """The facts that there are, by node."""
        return tuple(one.facts for one in self.nodes if one.facts is not None)

    @property
    def missing(self) -> tuple[GatheredNode, ...]:
        """The nodes without facts."""
        return tuple(one for one in self.nodes if one.facts is None)


def gather(
    connection: Connection,
    namespace: str,
    selector: str = DEFAULT_SELECTOR,
    *,
    timeout: float = 60.0,
    report: Callable[[str], None] = lambda _: None,
) -> Gathering:
    """The facts of all nodes that run a pod of the selector in this namespace.

    Pods that have printed nothing yet are waited for, ``timeout`` seconds in all; 0 looks once.

    Raises:
        NodeFactsError: there is no DaemonSet and no pod with these labels.
        ClusterError: the API server cannot be asked, or may not be asked for the pods.
    """
    unread: dict[str, str] = {}
    nodes = _nodes(connection, unread)
    daemon_sets = _daemon_sets(connection, namespace, selector, unread)
    end = time.monotonic() + timeout
    facts: dict[str, NodeFacts] = {}
    while True:
        pods = connection.list_all(_path(namespace, "pods"), {"labelSelector": selector})
        if not pods and not daemon_sets:
            raise NodeFactsError(
                f"no pod in namespace {namespace} has the label {selector}",
                remedy=f"Print and apply it: helmguard node manifest | kubectl apply -n {namespace} -f -",
            )
        wanted = expected_nodes(daemon_sets, nodes.values())
        reasons = _read(connection, namespace, pods, wanted, facts)
        waiting = {node for node, (_, final) in reasons.items() if not final}
        if not waiting or time.monotonic() >= end:
            break
        report(f"waiting for {len(waiting)} of {len(reasons) + len(facts)} nodes")
        time.sleep(min(_POLL_SECONDS, max(0.0, end - time.monotonic())))
    gathered = [
        *(GatheredNode(name, _with_node(found, nodes.get(name))) for name, found in facts.items()),
        *(
            GatheredNode(name, why=_told(connection, namespace, pods, name, why))
            for name, (why, _) in reasons.items()
        ),
    ]
    told = {one.name for one in gathered}
    return Gathering(
        nodes=tuple(sorted(gathered, key=lambda one: one.name)),
        others=tuple(sorted(nodes.keys() - told)),
        unread=unread,
    )


def _read(
    connection: Connection,
    namespace: str,
    bodies: Sequence[JSONObject],
    wanted: frozenset[str],
    facts: dict[str, NodeFacts],
) -> dict[str, tuple[str, bool]]:
    """Read logs into ``facts``; gives the nodes still without, why, and whether waiting is of no use."""
    pods = [pod for pod in collecting_pods(bodies) if pod.node not in facts]
    reasons = {pod.node: (pod.waits_for, pod.final) for pod in pods if pod.waits_for}
    logs = [pod for pod in pods if not pod.waits_for]
    read = run_concurrently([partial(_log, connection, namespace, pod) for pod in logs])
    for pod, found in zip(logs, read, strict=True):
        if isinstance(found, NodeFacts):
            facts[pod.node] = replace(found, name=pod.node, source=f"pod {namespace}/{pod.name}")
        else:
            reasons[pod.node] = found
    unplaced = unplaced_reasons(bodies)
    for node in wanted - facts.keys() - reasons.keys():
        reasons[node] = (unplaced.get(node, "it has no pod of the DaemonSet yet"), False)
    return reasons


def _log(connection: Connection, namespace: str, pod: CollectingPod) -> NodeFacts | tuple[str, bool]:
    query = {"container": CONTAINER, "tailLines": str(_LAST_LINES), "limitBytes": str(LARGEST_LOG)}
    try:
        text = connection.get_text(f"{_path(namespace, 'pods')}/{quote(pod.name, safe='')}/log", query)
    except PermissionDeniedError as error:
        return f"its log may not be read: {error.message}", True
    except ClusterError as error:
        return f"its log cannot be read: {error.message}", False
    try:
        return facts_in_log(text)
    except NodeFactsError as error:
        return error.message, False


def _with_node(facts: NodeFacts, node: JSONObject | None) -> NodeFacts:
    """What the Node object knows better: its labels, and the versions that run."""
    if node is None:
        return facts
    labels = {str(key): str(value) for key, value in mapping(node, "metadata", "labels").items()}
    info = mapping(node, "status", "nodeInfo")
    runtime, kubelet = str(info.get("containerRuntimeVersion") or ""), str(info.get("kubeletVersion") or "")
    found = replace(facts, labels=labels)
    if runtime.startswith("containerd://"):
        version = runtime.removeprefix("containerd://")
        found = replace(
            found, containerd=replace(facts.containerd, version=version, version_from="the Node object")
        )
    if kubelet:
        found = replace(found, kubelet=replace(facts.kubelet, version=kubelet))
    return found


def _nodes(connection: Connection, unread: dict[str, str]) -> dict[str, JSONObject]:
    try:
        bodies = connection.list_all("/api/v1/nodes")
    except PermissionDeniedError as error:
        unread["labels and versions of the nodes"] = error.message
        return {}
    return {str(mapping(body, "metadata").get("name")): body for body in bodies}


def _daemon_sets(
    connection: Connection, namespace: str, selector: str, unread: dict[str, str]
) -> list[JSONObject]:
    try:
        return connection.list_all(
            f"/apis/apps/v1/namespaces/{quote(namespace, safe='')}/daemonsets", {"labelSelector": selector}
        )
    except PermissionDeniedError as error:
        unread["which nodes should have a pod"] = error.message
        return []


def _told(connection: Connection, namespace: str, bodies: Sequence[JSONObject], node: str, why: str) -> str:
    """The reason, with the last warning about a pod that does not start: a mount that is not there."""
    pod = next((pod for pod in collecting_pods(bodies) if pod.node == node and pod.waits_for), None)
    if pod is None:
        return why
    query = {"fieldSelector": f"type=Warning,involvedObject.name={pod.name}"}
    try:
        events = connection.list_all(_path(namespace, "events"), query)
    except ClusterError:
        return why
    last = max(
        events, key=lambda event: str(event.get("lastTimestamp") or event.get("eventTime") or ""), default={}
    )
    message = " ".join(str(last.get("message") or "").split())
    return f"{why} ({message})" if message else why


def _path(namespace: str, plural: str) -> str:
    return f"/api/v1/namespaces/{quote(namespace, safe='')}/{plural}"
