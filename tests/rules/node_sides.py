"""Nodes made by hand, with what the simulator makes of their containerd."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helmguard.containerd.judged_node import judged_node
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import (
    CDI_FOLDERS,
    CONTAINERD_CONFIG,
    ContainerdFacts,
    DriverFacts,
    NodeFacts,
    NodeFile,
    PathFacts,
)
from helmguard.rules.node_side import NodeSide

ETC, RUN = "/etc/cdi/nvidia.yaml", "/var/run/cdi/nvidia.yaml"


def cdi_node(
    *specs: tuple[str, str],
    name: str = "gpu-a",
    containerd: str = "2.1.4",
    config: str = "version = 2\n",
    planned: str = "",
    driver: DriverFacts | None = None,
    paths: Mapping[str, PathFacts] | None = None,
    files: Mapping[str, NodeFile] | None = None,
    folders: tuple[str, ...] = CDI_FOLDERS,
    **more: Any,
) -> JudgedNode:
    """A node with these CDI specs, by path."""
    facts = NodeFacts(
        name=name,
        files={
            CONTAINERD_CONFIG: NodeFile(config),
            **{path: NodeFile(text) for path, text in specs},
            **(files or {}),
        },
        paths=paths or {},
        containerd=ContainerdFacts(version=containerd),
        driver=driver or DriverFacts(),
        cdi_folders=folders,
        **more,
    )
    return judged_node(facts, planned)


def side(*nodes: JudgedNode, pods: tuple[Any, ...] | None = None, **more: Any) -> NodeSide:
    """These nodes; ``pods`` are all of the cluster, None where they were not read."""
    cluster = ClusterFacts(lists={} if pods is None else {"allPods": pods})
    return NodeSide(nodes=nodes, cluster=cluster, **more)
