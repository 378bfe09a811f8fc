"""Judges a node's facts: what containerd makes of them now, and under a version that is planned."""

from __future__ import annotations

from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import NodeFacts


def judged_node(facts: NodeFacts, planned: str = "") -> JudgedNode:
    """What containerd makes of a node's files; ``planned`` is a version (``2.1.4``), empty for none."""
    # Plans name this record, and few judge a node: the tables behind it are read when they are needed.
    from helmguard.containerd.effective import effective_config
    from helmguard.containerd.version import read_version

    path = facts.containerd.config_path
    version = facts.containerd.version
    return JudgedNode(
        facts,
        effective_config(facts.files, facts.paths, version, path) if read_version(version) else None,
        effective_config(facts.files, facts.paths, planned, path) if planned else None,
    )
