"""Reading back what the DaemonSet's pods printed, through a real API server."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from controlplane.client import ApiError, ControlPlane
from controlplane.permissions import grant
from helmguard_program import Helmguard
from kubelet_logs import KubeletLogs
from side_objects import MakeNode

from helmguard.cluster.connect import connect
from helmguard.cluster.kube_options import KubeOptions
from helmguard.errors import ClusterError, NodeFactsError
from helmguard.model.node_facts import ContainerdFacts, NodeFacts, NodeFile
from helmguard.node import gather as gather_module
from helmguard.node.gather import Gathering, gather
from helmguard.node.manifest import DEFAULT_NAME, ManifestRequest, manifest
from helmguard.node_facts.archive import facts_to_dict, read_archive

FACTS = NodeFacts(
    name="what the pod calls itself",
    files={"/etc/containerd/config.toml": NodeFile("version = 2\n")},
    containerd=ContainerdFacts(version="1.7.29", version_from="/var/lib/dpkg/status"),
)


def line(facts: NodeFacts = FACTS) -> str:
    return json.dumps(facts_to_dict(facts)) + "\n"


def apply(cluster: ControlPlane, namespace: str, **more: Any) -> None:
    """The manifest, for the nodes of this test alone."""
    account, daemon_set = manifest(ManifestRequest(node_selector={"test": namespace}, **more))
    cluster.create(f"/api/v1/namespaces/{namespace}/serviceaccounts", account)
    cluster.create(f"/apis/apps/v1/namespaces/{namespace}/daemonsets", daemon_set)


def pods(cluster: ControlPlane, namespace: str, count: int) -> dict[str, str]:
    """The names of the DaemonSet's pods by node, once so many run."""
    at = f"/apis/apps/v1/namespaces/{namespace}/daemonsets/{DEFAULT_NAME}"
    cluster.wait_for(at, lambda found: bool(found) and found["status"].get("numberReady", 0) == count)
    found = cluster.items(f"/api/v1/namespaces/{namespace}/pods")
    return {pod["spec"]["nodeName"]: pod["metadata"]["name"] for pod in found if pod["spec"].get("nodeName")}


def read(cluster: ControlPlane, namespace: str, timeout: float = 0.0, **options: Any) -> Gathering:
    connection = connect(KubeOptions(kubeconfig=str(cluster.kubeconfig), namespace=namespace, **options))
    return gather(connection, namespace, timeout=timeout)


def test_each_node_s_facts_come_from_its_pod_s_log(
    rollout_control_plane: ControlPlane, namespace: str, make_node: MakeNode, kubelet: KubeletLogs
) -> None:
    nodes = [make_node(name, "runc", **kubelet.status(name)) for name in ("gpu-a", "gpu-b")]
    apply(rollout_control_plane, namespace)
    names = pods(rollout_control_plane, namespace, 2)
    kubelet.logs = {names[nodes[0]]: f"reading\n{line()}done\n", names[nodes[1]]: line()}
    found = read(rollout_control_plane, namespace)
    assert [one.name for one in found.nodes] == nodes
    assert found.missing == ()
    facts = found.found[0]
    assert (facts.name, facts.source) == (nodes[0], f"pod {namespace}/{names[nodes[0]]}")
    assert facts.files == FACTS.files
    assert facts.labels["test"] == namespace
    assert (facts.containerd.version, facts.containerd.version_from) == ("2.1.4", "the Node object")
    assert facts.kubelet.version == "v1.36.3"
    assert kubelet.asked[0]["limitBytes"] and kubelet.asked[0]["tailLines"]


def test_nodes_without_facts_are_named_with_the_reason(
    rollout_control_plane: ControlPlane, namespace: str, make_node: MakeNode, kubelet: KubeletLogs
) -> None:
    logs = {
        "told": line(),
        "silent": "",
        "cut": line().rstrip("\n")[:-20],
        "other": line().replace("/v1", "/v9", 1),
        "failed": "Error: no right to read /host\n",
    }
    nodes = {name: make_node(name, **kubelet.status(name)) for name in logs}
    gone = make_node("gone", **kubelet.status("gone"))
    tainted = make_node("tainted", taints=[{"key": "dedicated", "effect": "NoSchedule"}])
    apply(rollout_control_plane, namespace)
    names = pods(rollout_control_plane, namespace, 6)
    kubelet.logs = {names[nodes[name]]: log for name, log in logs.items()}
    found = read(rollout_control_plane, namespace)
    assert [one.name for one in found.found] == [nodes["told"]]
    why = {one.name: one.why for one in found.missing}
    assert why[nodes["silent"]] == "its log has no facts yet"
    assert why[nodes["cut"]] == "its log ends in the middle of the facts"
    assert why[nodes["other"]] == "the facts are in format v9; this helmguard reads v1"
    assert why[nodes["failed"]] == "its log has no facts; it ends with 'Error: no right to read /host'"
    assert why[gone].startswith("its log cannot be read: ")
    assert tainted in found.others and tainted not in why


def test_a_pod_that_does_not_start_tells_why(
    control_plane: ControlPlane, namespace: str, make_node: MakeNode
) -> None:
    """As the kubelet has it where a mounted file is not there; the test is scheduler and kubelet."""
    node = make_node("plain")
    apply(control_plane, namespace)
    control_plane.wait_for(
        f"/apis/apps/v1/namespaces/{namespace}/daemonsets/{DEFAULT_NAME}",
        lambda found: bool(found) and found["status"].get("currentNumberScheduled") == 1,
    )
    at = f"/api/v1/namespaces/{namespace}"
    name = control_plane.items(f"{at}/pods")[0]["metadata"]["name"]
    target = {"metadata": {"name": name}, "target": {"kind": "Node", "name": node}}
    with contextlib.suppress(ApiError):  # a scheduler may be quicker, where there is one
        control_plane.create(f"{at}/pods/{name}/binding", target)
    waiting = {"name": "collect", "state": {"waiting": {"reason": "ContainerCreating"}}, "imageID": ""}
    statuses = [{**waiting, "image": "x", "ready": False, "restartCount": 0}]
    control_plane.patch(
        f"{at}/pods/{name}/status", {"status": {"phase": "Pending", "containerStatuses": statuses}}
    )
    event = {
        "metadata": {"name": f"{name}.1", "namespace": namespace},
        "involvedObject": {"kind": "Pod", "namespace": namespace, "name": name},
        "reason": "FailedMount",
        "type": "Warning",
        "message": 'MountVolume.SetUp failed for volume "x": hostPath type check failed: /x is not a file',
        "lastTimestamp": "2026-01-01T00:00:00Z",
    }
    control_plane.create(f"{at}/events", event)
    (missing,) = read(control_plane, namespace).missing
    assert missing.why == f"its pod waits: ContainerCreating ({event['message']})"


def test_a_pod_that_finds_no_room_tells_why(
    rollout_control_plane: ControlPlane, namespace: str, make_node: MakeNode
) -> None:
    full = {"cpu": "1m", "memory": "1Mi", "pods": "20"}
    node = make_node("full", capacity=full, allocatable=full)
    apply(rollout_control_plane, namespace)
    at = f"/api/v1/namespaces/{namespace}/pods"
    rollout_control_plane.wait_for(
        f"/apis/apps/v1/namespaces/{namespace}/daemonsets/{DEFAULT_NAME}",
        lambda found: bool(found) and found["status"].get("desiredNumberScheduled") == 1,
    )
    name = rollout_control_plane.items(at)[0]["metadata"]["name"]
    rollout_control_plane.wait_for(
        f"{at}/{name}", lambda found: bool(found and found["status"].get("conditions"))
    )
    (missing,) = read(rollout_control_plane, namespace).missing
    assert missing.name == node
    assert missing.why.startswith("its pod is not scheduled: 0/") and "Insufficient" in missing.why


def test_pods_that_print_late_are_waited_for(
    rollout_control_plane: ControlPlane,
    namespace: str,
    make_node: MakeNode,
    kubelet: KubeletLogs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gather_module, "_POLL_SECONDS", 0.01)
    make_node("late", **kubelet.status("late"))
    apply(rollout_control_plane, namespace)
    (name,) = pods(rollout_control_plane, namespace, 1).values()
    told: list[str] = []

    def report(text: str) -> None:
        told.append(text)
        kubelet.logs = {name: line()}

    connection = connect(KubeOptions(kubeconfig=str(rollout_control_plane.kubeconfig)))
    found = gather(connection, namespace, timeout=30.0, report=report)
    assert (len(found.found), told) == (1, ["waiting for 1 of 1 nodes"])


def test_a_namespace_without_the_daemon_set(rollout_control_plane: ControlPlane, namespace: str) -> None:
    with pytest.raises(NodeFactsError, match=f"no pod in namespace {namespace}"):
        read(rollout_control_plane, namespace)


def test_what_the_user_may_not_read(
    rollout_control_plane: ControlPlane, namespace: str, make_node: MakeNode, kubelet: KubeletLogs
) -> None:
    node = make_node("gpu-a", **kubelet.status("gpu-a"))
    apply(rollout_control_plane, namespace)
    (name,) = pods(rollout_control_plane, namespace, 1).values()
    kubelet.logs = {name: line()}
    with pytest.raises(ClusterError, match='cannot list resource "pods"'):
        read(rollout_control_plane.as_limited(), namespace)
    limited = grant(
        rollout_control_plane, namespace, [{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]
    )
    (missing,) = read(limited, namespace).missing
    assert (
        missing.why.startswith("its log may not be read: ")
        and 'cannot get resource "pods/log"' in missing.why
    )
    logs = [{"apiGroups": [""], "resources": ["pods/log"], "verbs": ["get"]}]
    found = read(grant(rollout_control_plane, namespace, logs), namespace)
    assert [one.name for one in found.found] == [node]
    assert found.found[0].labels == {}
    assert set(found.unread) == {"labels and versions of the nodes", "which nodes should have a pod"}


def test_the_command_writes_an_archive_for_each_node(
    rollout_control_plane: ControlPlane,
    namespace: str,
    make_node: MakeNode,
    kubelet: KubeletLogs,
    helmguard_here: Helmguard,
) -> None:
    nodes = [make_node(name, **kubelet.status(name)) for name in ("gpu-a", "gpu-b")]
    apply(rollout_control_plane, namespace)
    names = pods(rollout_control_plane, namespace, 2)
    kubelet.logs = {names[nodes[0]]: line()}
    ended = helmguard_here.run("node", "gather", "-n", namespace, "-o", "facts", "--timeout", "0").expect(2)
    folder = Path(helmguard_here.home) / "facts"
    assert [file.name for file in folder.iterdir()] == [f"node-facts-{nodes[0]}.tar.gz"]
    assert read_archive(folder / f"node-facts-{nodes[0]}.tar.gz").files == FACTS.files
    assert "facts of 1 of 2 nodes in facts" in ended.err
    assert f"{nodes[1]}: its log cannot be read" in ended.err
    kubelet.logs[names[nodes[1]]] = line()
    ended = helmguard_here.run("node", "gather", "-n", namespace, "-o", "-", "-q").expect(0)
    assert [json.loads(one)["name"] for one in ended.out.splitlines()] == nodes
    assert ended.err == ""
    helmguard_here.run("node", "gather", "-n", "default", "--timeout", "0").expect_error(
        "no pod in namespace"
    )
