"""Nodes whose containerd configuration something else writes, and writes again."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import Annotated

from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import NodeFacts, PathFacts
from helmguard.rules.context.record import Record

_TEMPLATES = (
    "config.toml.tmpl",
    "config-v3.toml.tmpl",
    "containerd-template.toml",
)
"""What k3s, rke2 and MicroK8s make their configuration from, if it is there (documentation of each)."""
_TEMPLATED = ("k3s", "rke2", "microk8s")
_ENVIRONMENT = "CONTAINERD_CONFIG"


class ManagedNode(Record, frozen=True):
    """A node on which hand edits of containerd's configuration do not last."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "containerd's main configuration file"] = ""
    line: Annotated[int, "always 0"] = 0
    managed_by: Annotated[str, "`k3s`, `rke2`, `eks`, `gke`, `aks`, `bottlerocket`, …"] = ""
    marker: Annotated[str, "the path that tells it"] = ""
    template: Annotated[str, "the file to edit instead, empty where there is none"] = ""
    template_there: Annotated[bool, "that file is there: what is in it lasts"] = False
    config_set: Annotated[str, "what the environment says that the configuration is, empty for nothing"] = ""


def managed_nodes(nodes: Iterable[JudgedNode]) -> Iterator[ManagedNode]:
    """One for each that manages a node."""
    for node in nodes:
        facts = node.facts
        told: set[str] = set()
        for marker in facts.system.markers:
            if marker.managed_by in told:
                continue
            told.add(marker.managed_by)
            template = _template(node) if marker.managed_by in _TEMPLATED else ""
            yield ManagedNode(
                node=facts.name,
                file=facts.containerd.config_path,
                managed_by=marker.managed_by,
                marker=marker.path,
                template=template,
                template_there=_is_there(facts, template),
                config_set=facts.containerd.environment.get(_ENVIRONMENT, ""),
            )


def _template(node: JudgedNode) -> str:
    facts = node.facts
    folder = posixpath.dirname(facts.containerd.config_path)
    there = [f"{folder}/{name}" for name in _TEMPLATES if _is_there(facts, f"{folder}/{name}")]
    if there:
        return there[-1]
    if "microk8s" in facts.containerd.config_path:
        return f"{folder}/containerd-template.toml"
    first = node.installed is not None and node.installed.generation == "1"
    return f"{folder}/{'config.toml.tmpl' if first else 'config-v3.toml.tmpl'}"


def _is_there(facts: NodeFacts, path: str) -> bool:
    return path in facts.files or facts.paths.get(path, PathFacts("unknown")).kind == "file"
