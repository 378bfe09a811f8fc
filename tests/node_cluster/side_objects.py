"""Nodes, RuntimeClasses, pods and events as the API server gives them, and nodes' facts, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from helmguard.containerd.judged_node import judged_node
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import CONTAINERD_CONFIG, ContainerdFacts, DriverFacts, NodeFacts, NodeFile
from helmguard.rules.node_side import NodeSide, WantedHandler

MakeNode = Callable[..., str]
"""The fixture ``make_node``: a short name, handlers, and ``taints`` or fields of the status."""

GPU = {"nvidia.com/gpu.present": "true"}
V2_RUNTIME = """
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.{name}]
runtime_type = "io.containerd.runc.v2"
"""
REFUSED = (
    "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: "
    'no runtime for "{handler}" is configured'
)


def node(
    name: str,
    *handlers: str,
    labels: dict[str, str] | None = None,
    taints: Iterable[dict[str, str]] = (),
    runtime: str = "containerd://2.1.4",
    **info: str,
) -> dict[str, Any]:
    """A Node; without handlers it reports none, as with containerd 1.x."""
    status: dict[str, Any] = {"nodeInfo": {"containerRuntimeVersion": runtime, **info}}
    if handlers:
        status["runtimeHandlers"] = [{"name": one} for one in ("", *handlers)]
    return {
        "metadata": {"name": name, "labels": labels or {}},
        "spec": {"taints": [*taints]},
        "status": status,
    }


def gpu_node(name: str, *handlers: str, **more: Any) -> dict[str, Any]:
    return node(name, *handlers, labels={**GPU, **more.pop("labels", {})}, **more)


def runtime_class(name: str, handler: str = "", **scheduling: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"metadata": {"name": name}, "handler": handler or name}
    return {**body, "scheduling": scheduling} if scheduling else body


def pod(
    name: str,
    runtime: str = "",
    *,
    on: str = "",
    phase: str = "Running",
    namespace: str = "shop",
    owner: tuple[str, str] | None = None,
    gpus: int = 0,
    **spec: Any,
) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name, "namespace": namespace}
    if owner is not None:
        metadata["ownerReferences"] = [{"kind": owner[0], "name": owner[1], "controller": True}]
    limits = {"nvidia.com/gpu": str(gpus)} if gpus else {}
    found = {"containers": [{"name": "c", "resources": {"limits": limits}}], **spec}
    if runtime:
        found["runtimeClassName"] = runtime
    if on:
        found["nodeName"] = on
    return {"metadata": metadata, "spec": found, "status": {"phase": phase}}


def event(
    name: str, message: str, *, namespace: str = "shop", when: str = "2026-01-01T00:00:00Z"
) -> dict[str, Any]:
    return {
        "metadata": {"name": f"{name}.1", "namespace": namespace},
        "involvedObject": {"kind": "Pod", "name": name, "namespace": namespace},
        "reason": "FailedCreatePodSandBox",
        "type": "Warning",
        "message": message,
        "lastTimestamp": when,
    }


def with_runtimes(*names: str, before: str = "") -> str:
    """A config.toml of version 2 with these runtimes."""
    return f"version = 2\n{before}" + "".join(V2_RUNTIME.format(name=one) for one in names)


def facts(
    name: str,
    *runtimes: str,
    version: str = "2.1.4",
    planned: str = "",
    driver: DriverFacts | None = None,
    config: str = "",
) -> JudgedNode:
    """A node whose config.toml has these runtimes (version 2 tables), judged."""
    text = config or with_runtimes("runc", *runtimes)
    return judged_node(
        NodeFacts(
            name=name,
            files={CONTAINERD_CONFIG: NodeFile(text)},
            containerd=ContainerdFacts(version=version),
            driver=driver or DriverFacts(),
        ),
        planned,
    )


def side(
    *collected: JudgedNode,
    wanted: tuple[WantedHandler, ...] | None = None,
    in_plan: bool = False,
    unread: dict[str, str] | None = None,
    **lists: Any,
) -> NodeSide:
    cluster = ClusterFacts(lists={name: tuple(items) for name, items in lists.items()}, unread=unread or {})
    return NodeSide(collected, cluster, wanted=wanted, in_plan=in_plan)
