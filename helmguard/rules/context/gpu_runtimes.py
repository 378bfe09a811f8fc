"""GPU nodes with what is known of them below Kubernetes: the operator's runtime, and whose driver runs.

What the operator does there: NVIDIA/nvidia-container-toolkit v1.18 (the toolkit container takes out at its
end what it put in), NVIDIA/k8s-driver-manager (isHostDriver runs nvidia-smi in the host's root).
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.containerd_settings import Effective
from helmguard.model.json_value import JSONValue
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import NodeFacts
from helmguard.rules.context.driver_runtimes import nvidia_runtimes
from helmguard.rules.context.driver_version import core_libraries
from helmguard.rules.context.gpu_nodes import GpuNode, gpu_node, gpu_nodes
from helmguard.rules.context.handler_nodes import HandlerNode, handler_nodes
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.record import UNKNOWN, Unknown
from helmguard.rules.node_side import NodeSide

_HANDLER, _INSTALL_DIR = "nvidia", "/usr/local/nvidia"
_SMI = "/usr/bin/nvidia-smi"


def nodes_with_runtimes(
    collected: tuple[JudgedNode, ...], cluster: ClusterFacts, policy: JSONValue
) -> tuple[GpuNode, ...] | Unknown:
    """The GPU nodes with what their own lists, events and collected facts tell; ``policy`` is the spec.

    Where the nodes cannot be read, those of the collected ones that have GPUs.
    """
    nodes = gpu_nodes(cluster)
    if nodes == () or (isinstance(nodes, Unknown) and not collected):
        return nodes
    known = {node.name: node for node in handler_nodes(NodeSide(collected, cluster, in_plan=True)) or ()}
    if isinstance(nodes, Unknown):
        if not known:
            return UNKNOWN
        nodes = tuple(gpu_node(node.body) for node in known.values() if node.gpu)
    handler = str(mapping(policy, "operator").get("runtimeClass") or _HANDLER)
    folder = str(mapping(policy, "toolkit").get("installDir") or _INSTALL_DIR).rstrip("/")
    return tuple(_with_runtime(node, known[node.name], handler, folder) for node in nodes)


def _with_runtime(node: GpuNode, known: HandlerNode, handler: str, folder: str) -> GpuNode:
    has, facts = known.has(handler), known.judged.facts if known.judged is not None else None
    place = known.place(handler)
    whose = driver_by(facts) if facts is not None else ""
    return replace(
        node,
        handlers=known.names or node.handlers,
        has_handler=has is True,
        lacks_handler=has is False,
        own_handler=known.judged is not None and _is_own(known.judged, known.installed, handler, folder),
        handler_from=f"{place.file}:{place.line}" if place.file else "",
        own_driver=whose == "host" if whose else node.own_driver,
        driver_by=whose,
        collected=facts is not None,
    )


def _is_own(judged: JudgedNode, installed: Effective | None, handler: str, folder: str) -> bool:
    """Whether the node's files have the handler, with a program that works, once the toolkit's are gone."""
    facts = judged.facts
    main = facts.containerd.config_path
    effective = installed
    if effective is not None and _is_below(_binary(effective, handler), folder):
        # The toolkit put it into a file of its own, which it takes away, or into the main one.
        file = _place(effective, handler)
        if not file or file == main:
            return False
        effective = _without(facts, file, effective.containerd)
    if effective is None or effective.daemon != "starts" or effective.unread:
        return False
    if effective.cri != "ok" or _is_below(_binary(effective, handler), folder):
        return False
    return any(one.name == handler and one.works for one in nvidia_runtimes(facts, effective))


def _without(facts: NodeFacts, file: str, version: str) -> Effective:
    """What containerd makes of the files without one of them."""
    from helmguard.containerd.effective import effective_config

    files = {path: each for path, each in facts.files.items() if path != file}
    paths = {path: each for path, each in facts.paths.items() if path != file}
    return effective_config(files, paths, version, facts.containerd.config_path)


def _binary(effective: Effective, handler: str) -> str:
    settings = effective.runtimes.get(handler)
    return (settings.binary_name or "") if settings is not None else ""


def _place(effective: Effective, handler: str) -> str:
    place = effective.runtimes[handler].places.get("BinaryName")
    return place.file if place is not None else ""


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")


DriverBy = Literal["", "host", "operator", "undetected", "none"]


def driver_by(facts: NodeFacts) -> DriverBy:
    """Whose driver a node has: see `GpuNode.driver_by`."""
    driver = facts.driver
    if not driver.kernel_known and not driver.kernel_version:
        return ""
    if driver.root != "/":
        return "operator" if driver.kernel_version else "none"
    versions = {library.version for library in core_libraries(driver)}
    if not driver.kernel_version and not versions:
        return "none"
    tool = facts.paths.get(_SMI)
    works = driver.kernel_version in versions and (tool is None or tool.kind != "absent")
    return "host" if works else "undetected"
