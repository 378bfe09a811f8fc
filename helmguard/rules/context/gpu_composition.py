"""How many pods of each component the operator's stack has once all is well: the expected composition.

Operands come to nodes by the labels ``nvidia.com/gpu.deploy.<operand>=true``, which the operator sets on GPU
nodes and leaves where they are set already (NVIDIA/gpu-operator@v26.3.3 controllers/state_manager.go).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.gpu_nodes import GpuNode
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.placements import fits
from helmguard.rules.context.pod_templates import after_of
from helmguard.rules.context.record import Record


class Component(Record, frozen=True):
    """One component of the stack."""

    name: Annotated[
        str, "`nvidia-device-plugin-daemonset`, or the object of the chart: `Deployment/gpu-operator`"
    ]
    pods: Annotated[int, "how many pods it has once all is well"]


class Operand(msgspec.Struct, frozen=True):
    """A DaemonSet of the operator: the switch in the policy, its value where that is absent, its label."""

    name: str
    switch: str
    default: bool
    label: str


_OPERANDS = (
    Operand("nvidia-driver-daemonset", "driver", True, "driver"),
    Operand("nvidia-container-toolkit-daemonset", "toolkit", True, "container-toolkit"),
    Operand("nvidia-operator-validator", "", True, "operator-validator"),
    Operand("nvidia-cuda-validator", "devicePlugin", True, "operator-validator"),
    Operand("nvidia-device-plugin-daemonset", "devicePlugin", True, "device-plugin"),
    Operand("nvidia-dcgm", "dcgm", True, "dcgm"),
    Operand("nvidia-dcgm-exporter", "dcgmExporter", True, "dcgm-exporter"),
    Operand("gpu-feature-discovery", "gfd", True, "gpu-feature-discovery"),
    Operand("nvidia-node-status-exporter", "nodeStatusExporter", False, "node-status-exporter"),
)
_MIG = Operand("nvidia-mig-manager", "migManager", True, "mig-manager")


def composition(
    spec: JSONValue,
    resources: tuple[ResourceChange, ...],
    nodes: tuple[JSONObject, ...],
    gpu: tuple[GpuNode, ...],
) -> tuple[Component, ...]:
    """What runs afterwards: the chart's own Deployments and DaemonSets, and the operands of the policy.

    The pod of ``nvidia-cuda-validator`` is there and completed. ``nodes`` are all nodes, ``gpu`` those with
    GPUs. Operands for virtual machines are not counted: they come where nodes are labelled for them.
    """
    found = [*_of_chart(resources, nodes)]
    for operand in _OPERANDS:
        if _is_on(spec, operand):
            found.append(Component(operand.name, sum(_comes_to(operand, node) for node in gpu)))
    if _is_on(spec, _MIG):
        found.append(Component(_MIG.name, sum(node.mig_capable and _comes_to(_MIG, node) for node in gpu)))
    return tuple(one for one in found if one.pods)


def _is_on(spec: JSONValue, operand: Operand) -> bool:
    if not operand.switch:
        return True
    enabled = mapping(mapping(spec).get(operand.switch)).get("enabled")
    return operand.default if enabled is None else enabled is True


def _comes_to(operand: Operand, node: GpuNode) -> bool:
    return not any(label.partition("=")[0] == operand.label for label in node.paused)


def _of_chart(resources: tuple[ResourceChange, ...], nodes: tuple[JSONObject, ...]) -> Iterator[Component]:
    for resource in resources:
        body, kind = after_of(resource), resource.prediction.key.kind
        if body is None or resource.action == "hook" or kind not in ("Deployment", "DaemonSet"):
            continue
        spec = mapping(body.get("spec"))
        replicas = spec.get("replicas", 1)
        if kind == "DaemonSet":
            template = mapping(spec.get("template"))
            replicas = sum(fits(template, kind, node) for node in nodes)
        yield Component(str(resource.prediction.key), int(replicas))
