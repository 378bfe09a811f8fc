"""What the cluster knows of its nodes' runtimes, read from a real API server and judged."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from controlplane.client import ControlPlane
from side_objects import REFUSED, MakeNode

from helmguard.cluster.kube_options import KubeOptions
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.node.cluster_side import read_cluster_side
from helmguard.rules.context.handler_classes import HandlerClass
from helmguard.rules.context.handlers import handlers_of
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.node_side import NodeSide


@pytest.fixture
def runtime_class(control_plane: ControlPlane, namespace: str) -> Iterator[str]:
    """A RuntimeClass of the test's own, with a handler of the same name."""
    at = "/apis/node.k8s.io/v1/runtimeclasses"
    name = f"kata-{namespace}"
    control_plane.create(at, {"metadata": {"name": name}, "handler": name})
    yield name
    control_plane.remove(f"{at}/{name}")


def options(cluster: ControlPlane, **more: Any) -> KubeOptions:
    return KubeOptions(kubeconfig=str(cluster.kubeconfig), **more)


def start(cluster: ControlPlane, namespace: str, name: str, node: str, runtime: str) -> None:
    """A pod that is bound to its node and hangs: there is no kubelet to run it.

    Where kwok plays the kubelet (a control plane that was started by hand) its work is undone.
    """
    container = {"name": "c", "image": "registry.example.com/x:1"}
    body = {
        "metadata": {"name": name},
        "spec": {"nodeName": node, "runtimeClassName": runtime, "containers": [container]},
    }
    cluster.create(f"/api/v1/namespaces/{namespace}/pods", body)
    at = f"/api/v1/namespaces/{namespace}/pods/{name}"
    if "kwok" in str(cluster.get(f"/api/v1/nodes/{node}")["status"]):
        cluster.wait_for(at, lambda found: found is not None and found["status"].get("phase") == "Running")
        cluster.patch(f"{at}/status", {"status": {"phase": "Pending"}})


def run(cluster: ControlPlane, namespace: str, name: str) -> None:
    """The pod runs."""
    cluster.patch(f"/api/v1/namespaces/{namespace}/pods/{name}/status", {"status": {"phase": "Running"}})


def refuse(cluster: ControlPlane, namespace: str, name: str, handler: str) -> None:
    """The kubelet's event about a pod whose handler containerd does not know."""
    event = {
        "metadata": {"name": f"{name}.{uuid.uuid4().hex[:8]}", "namespace": namespace},
        "involvedObject": {"kind": "Pod", "namespace": namespace, "name": name},
        "reason": "FailedCreatePodSandBox",
        "type": "Warning",
        "message": REFUSED.format(handler=handler),
        "lastTimestamp": "2026-01-01T00:00:00Z",
    }
    cluster.create(f"/api/v1/namespaces/{namespace}/events", event)


def the_class(facts: ClusterFacts, name: str) -> HandlerClass:
    classes = handlers_of(NodeSide(cluster=facts)).classes
    assert classes is not UNKNOWN
    (found,) = [one for one in classes if one.name == name]
    return found


def test_first_install_the_class_is_there_and_no_node_knows_it(
    control_plane: ControlPlane, namespace: str, make_node: MakeNode, runtime_class: str
) -> None:
    """The field report by the API server's knowledge alone."""
    nodes = [make_node(f"gpu-{letter}", "runc") for letter in "ab"]
    for node in nodes:
        start(control_plane, namespace, f"on-{node}", node, runtime_class)
        refuse(control_plane, namespace, f"on-{node}", runtime_class)
    facts = read_cluster_side(options(control_plane))
    assert not facts.unread
    found = the_class(facts, runtime_class)
    assert found.lacking is not UNKNOWN and set(nodes) <= set(found.lacking)
    assert found.stranded == tuple(f"{namespace}/on-{node}" for node in nodes)
    stuck = handlers_of(NodeSide(cluster=facts)).stuck
    assert stuck is not UNKNOWN
    (told,) = [one for one in stuck if one.handler == runtime_class]
    assert (told.layer, told.nodes, told.ref) == (
        "registration",
        tuple(nodes),
        f"RuntimeClass/{runtime_class}",
    )


def test_nodes_that_report_the_handler_are_right(
    control_plane: ControlPlane, namespace: str, make_node: MakeNode, runtime_class: str
) -> None:
    node = make_node("gpu-a", "runc", runtime_class)
    start(control_plane, namespace, "fine", node, runtime_class)
    run(control_plane, namespace, "fine")
    found = the_class(read_cluster_side(options(control_plane)), runtime_class)
    assert (found.used, found.stranded) == (True, ())
    assert found.lacking is UNKNOWN or node not in found.lacking


def test_events_are_read_where_pods_hang_and_in_the_namespace_given_alone(
    control_plane: ControlPlane, namespace: str, make_node: MakeNode, runtime_class: str
) -> None:
    node = make_node("gpu-a", "runc")
    start(control_plane, namespace, "stuck", node, runtime_class)
    refuse(control_plane, namespace, "stuck", runtime_class)

    def events(**more: Any) -> list[str]:
        facts = read_cluster_side(options(control_plane, **more))
        return [one["involvedObject"]["namespace"] for one in facts.lists["events"]]

    assert namespace in events()
    assert set(events(namespace=namespace)) == {namespace}
    assert events(namespace="default") == []


def test_what_may_not_be_read_is_named_with_the_right_that_is_missing(
    control_plane: ControlPlane,
) -> None:
    facts = read_cluster_side(options(control_plane.as_limited()))
    assert set(facts.unread) == {"nodes", "runtimeClasses", "allPods", "allDaemonSets"}
    assert facts.lists == {}
    assert (
        'cannot list resource "runtimeclasses" in API group "node.k8s.io"' in facts.unread["runtimeClasses"]
    )
