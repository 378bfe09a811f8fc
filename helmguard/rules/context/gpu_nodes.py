"""GPU nodes, and the pods that use them, as far as the cluster was read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.json_value import JSONObject
from helmguard.rules.context.manifest_maps import mapping, maps_in
from helmguard.rules.context.record import UNKNOWN, Record, Unknown

_PRESENT = "nvidia.com/gpu.present"
_DEPLOY = "nvidia.com/gpu.deploy."
_PCI = tuple(
    f"feature.node.kubernetes.io/pci-{device}.present" for device in ("10de", "0302_10de", "0300_10de")
)
_UPGRADE_STATE = "nvidia.com/gpu-driver-upgrade-state"


class GpuNode(Record, frozen=True):
    """A node with GPUs: labelled so by the operator, or by Node Feature Discovery."""

    name: Annotated[str, "its name"]
    driver_label: Annotated[str, "`nvidia.com/gpu.deploy.driver`: `true`, `pre-installed`, …; else empty"] = (
        ""
    )
    toolkit_label: Annotated[str, "`nvidia.com/gpu.deploy.container-toolkit`; else empty"] = ""
    paused: Annotated[tuple[str, ...], "deploy labels that keep an operand away, `driver=false`"] = ()
    runtime: Annotated[str, "`status.nodeInfo.containerRuntimeVersion`: `containerd://1.7.29`"] = ""
    containerd: Annotated[str, "containerd's version, empty for another runtime"] = ""
    handlers: Annotated[
        tuple[str, ...] | Unknown,
        "runtime handlers that the node reports, and that its collected files configure; unknown for neither",
    ] = UNKNOWN
    has_handler: Annotated[
        bool, "it is known to have the handler of the policy's RuntimeClass, by its list or its files"
    ] = False
    lacks_handler: Annotated[
        bool, "it is known not to have it, by its list, its files, or an event about a pod that hangs there"
    ] = False
    own_handler: Annotated[
        bool, "its files have it without the operator's toolkit, with a program that is there"
    ] = False
    handler_from: Annotated[
        str, "where its files configure it: `/etc/containerd/conf.d/99-nvidia.toml:3`; empty for nowhere"
    ] = ""
    collected: Annotated[bool, "its facts were collected, and given with --node-facts"] = False
    own_driver: Annotated[
        bool, "it has a driver of its own that works: its facts say so, or else the label `pre-installed`"
    ] = False
    driver_by: Annotated[
        Literal["", "host", "operator", "undetected", "none"],
        "whose driver it has, by collected facts: `host` (nvidia-smi works in its root), `operator`, "
        "`undetected` (a driver of the host's own with which nvidia-smi cannot work), `none`; empty for not "
        "known",
    ] = ""
    gpus: Annotated[int, "allocatable `nvidia.com/gpu`"] = 0
    taints: Annotated[tuple[str, ...], "taints that keep pods away: `gpu=true:NoSchedule`"] = ()
    product: Annotated[str, "`nvidia.com/gpu.product`"] = ""
    driver_version: Annotated[str, "the driver's version as the node is labelled, empty for none"] = ""
    mig_capable: Annotated[bool, "`nvidia.com/mig.capable=true`"] = False
    mig_config: Annotated[str, "`nvidia.com/mig.config`"] = ""
    mig_strategy: Annotated[str, "`nvidia.com/mig.strategy`"] = ""
    has_mig_devices: Annotated[bool, "it offers MIG devices, or is labelled with some"] = False
    upgrade_state: Annotated[str, "where the driver upgrade of the node stands, empty for nowhere"] = ""
    cordoned: Annotated[bool, "no pods are scheduled to it"] = False


class GpuPod(Record, frozen=True):
    """A pod that uses GPUs: it asks for NVIDIA's resources, or for a RuntimeClass of the operator."""

    ref: Annotated[str, "`namespace/name`"]
    node: Annotated[str, "the node it is on, empty for none yet"] = ""
    resources: Annotated[tuple[str, ...], "what of NVIDIA's it asks for: `nvidia.com/gpu`"] = ()
    runtime_class: Annotated[str, "its RuntimeClass, empty for the default"] = ""
    operand: Annotated[bool, "it is part of the operator's own stack"] = False
    running: Annotated[bool, "its phase is Running"] = False


def gpu_nodes(cluster: ClusterFacts) -> tuple[GpuNode, ...] | Unknown:
    """The GPU nodes; unknown where nodes were not read."""
    nodes = cluster.lists.get("nodes")
    return UNKNOWN if nodes is None else tuple(gpu_node(node) for node in nodes if _is_gpu_node(node))


def gpu_pods(cluster: ClusterFacts, operator_namespace: str) -> tuple[GpuPod, ...] | Unknown:
    """Pods that use GPUs, operands among them; unknown where pods were not read."""
    pods = cluster.lists.get("allPods")
    if pods is None:
        return UNKNOWN
    return tuple(pod for one in pods if (pod := _pod(one, operator_namespace)) is not None)


def _is_gpu_node(node: JSONObject) -> bool:
    labels = _labels(node)
    return labels.get(_PRESENT) == "true" or any(labels.get(label) == "true" for label in _PCI)


def gpu_node(node: JSONObject) -> GpuNode:
    """What a Node object tells."""
    labels, status, spec = _labels(node), mapping(node.get("status")), mapping(node.get("spec"))
    runtime = str(mapping(status.get("nodeInfo")).get("containerRuntimeVersion") or "")
    allocatable = mapping(status.get("allocatable"))
    handlers = tuple(str(one.get("name") or "") for _, one in maps_in(status.get("runtimeHandlers")))
    deploy = {name.removeprefix(_DEPLOY): value for name, value in labels.items() if name.startswith(_DEPLOY)}
    return GpuNode(
        name=str(mapping(node.get("metadata")).get("name")),
        driver_label=deploy.get("driver", ""),
        own_driver=deploy.get("driver") == "pre-installed",
        toolkit_label=deploy.get("container-toolkit", ""),
        paused=tuple(f"{name}={value}" for name, value in sorted(deploy.items()) if value != "true"),
        runtime=runtime,
        containerd=runtime.removeprefix("containerd://") if runtime.startswith("containerd://") else "",
        handlers=handlers or UNKNOWN,
        gpus=_whole(allocatable.get("nvidia.com/gpu")),
        taints=tuple(_taints(spec)),
        product=labels.get("nvidia.com/gpu.product", ""),
        driver_version=_driver_version(labels),
        mig_capable=labels.get("nvidia.com/mig.capable") == "true",
        mig_config=labels.get("nvidia.com/mig.config", ""),
        mig_strategy=labels.get("nvidia.com/mig.strategy", ""),
        has_mig_devices=_has_mig_devices(labels, allocatable),
        upgrade_state=labels.get(_UPGRADE_STATE, ""),
        cordoned=bool(spec.get("unschedulable")),
    )


def _labels(body: JSONObject) -> dict[str, str]:
    labels = mapping(mapping(body.get("metadata")).get("labels"))
    return {str(name): str(value) for name, value in labels.items()}


def _driver_version(labels: dict[str, str]) -> str:
    full = labels.get("nvidia.com/cuda.driver-version.full")
    if full:
        return full
    parts = [labels.get(f"nvidia.com/cuda.driver.{part}", "") for part in ("major", "minor", "rev")]
    return ".".join(part for part in parts if part)


def _taints(spec: JSONObject) -> Iterator[str]:
    for _, taint in maps_in(spec.get("taints")):
        key, value, effect = taint.get("key"), taint.get("value"), taint.get("effect")
        if effect in ("NoSchedule", "NoExecute") and not str(key).startswith("node.kubernetes.io/"):
            yield f"{key}={value}:{effect}" if value else f"{key}:{effect}"


def _has_mig_devices(labels: dict[str, str], allocatable: JSONObject) -> bool:
    if any(str(name).startswith("nvidia.com/mig-") and _whole(n) for name, n in allocatable.items()):
        return True
    return "-MIG-" in labels.get("nvidia.com/gpu.product", "")


def _whole(value: object) -> int:
    return int(str(value)) if re.fullmatch(r"\d+", str(value)) else 0


def _pod(pod: JSONObject, operator_namespace: str) -> GpuPod | None:
    metadata, spec = mapping(pod.get("metadata")), mapping(pod.get("spec"))
    resources = tuple(dict.fromkeys(_resources(spec)))
    runtime_class = str(spec.get("runtimeClassName") or "")
    if not resources and not runtime_class:
        return None
    namespace = str(metadata.get("namespace") or "")
    return GpuPod(
        ref=f"{namespace}/{metadata.get('name')}",
        node=str(spec.get("nodeName") or ""),
        resources=resources,
        runtime_class=runtime_class,
        operand=namespace == operator_namespace,
        running=mapping(pod.get("status")).get("phase") == "Running",
    )


def _resources(spec: JSONObject) -> Iterable[str]:
    for list_name in ("containers", "initContainers"):
        for _, container in maps_in(spec.get(list_name)):
            limits = mapping(mapping(container.get("resources")).get("limits"))
            yield from (str(name) for name in limits if str(name).startswith("nvidia.com/"))
