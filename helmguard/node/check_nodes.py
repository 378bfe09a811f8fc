"""The check of nodes: what containerd makes of their files, judged by the rules. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from helmguard.config.apply_config import Scope, apply_config
from helmguard.config.config import Config
from helmguard.config.gate import DEFAULT_GATE, Gate
from helmguard.containerd.judged_node import judged_node
from helmguard.containerd.version import read_version
from helmguard.errors import UsageError
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import NodeFacts
from helmguard.model.node_report import NodeReport
from helmguard.model.plan import Unknown
from helmguard.node.judge_nodes import judge_nodes, rules_about_nodes
from helmguard.node.node_groups import node_groups
from helmguard.report.fact_text import fact_text
from helmguard.rules.node_side import NodeSide


def check_nodes(
    nodes: Sequence[NodeFacts],
    *,
    planned: str = "",
    cluster: ClusterFacts | None = None,
    gate: Gate | None = None,
) -> NodeReport:
    """The effective configurations of these nodes, and the findings of the rules about nodes.

    ``planned`` is a version of containerd to judge by beside the installed one (``2.1.4``), ``cluster`` what
    was read of the cluster that the nodes are in, None where none was asked. ``gate`` also brings severities,
    waivers and packs of the user's.

    Raises:
        UsageError: ``planned`` is no version.
    """
    gate = gate or DEFAULT_GATE
    version = _version(planned)
    judged = tuple(judged_node(facts, version) for facts in nodes)
    side = NodeSide(judged, cluster or ClusterFacts())
    verdict = judge_nodes(side, gate.packs, live=cluster is not None)
    found = apply_config(verdict.findings, _config(gate), Scope("", ""), gate.today)
    return NodeReport(
        nodes=judged,
        planned=version,
        groups=node_groups(judged),
        findings=found.findings,
        suppressed=verdict.suppressed,
        disabled=found.disabled,
        unknown=tuple(_unknown(judged, cluster)),
        notes=(*_notes(judged, cluster), *gate.notes),
        live=cluster is not None,
        fail_on=gate.fail_on,
        fail_on_unknown=gate.fail_on_unknown,
        config_file=gate.config.file,
    )


def _version(planned: str) -> str:
    if not planned:
        return ""
    version = read_version(planned)
    if version is None:
        raise UsageError(
            f"{planned!r} is no version of containerd", remedy="Write it as 2.1.4: --containerd 2.1.4"
        )
    return version.text


def _config(gate: Gate) -> Config:
    """The configuration without waivers of other rules: those of a plan have nothing to accept here."""
    rules = frozenset(rules_about_nodes(gate.packs))
    waivers = tuple(each for each in gate.config.waivers if each.rule in rules)
    return replace(gate.config, waivers=waivers)


def _unknown(nodes: Sequence[JudgedNode], cluster: ClusterFacts | None) -> Iterator[Unknown]:
    """What an effective configuration lacks, and lists of the cluster that could not be read."""
    for node in nodes:
        if node.first is None:
            why = "its version is not known, so that its settings are not (--containerd VERSION tells it)"
            yield Unknown(f"containerd of {node.name}", why)
        both = [one for one in (node.installed, node.planned) if one is not None]
        unread = {path: why for effective in both for path, why in effective.unread.items()}
        for path, why in sorted(unread.items()):
            yield Unknown(f"{path} of {node.name}", why or "it could not be read")
    for name, why in (cluster.unread if cluster is not None else {}).items():
        yield Unknown(fact_text(f"cluster.{name}"), why)


def _notes(nodes: Sequence[JudgedNode], cluster: ClusterFacts | None) -> Iterator[str]:
    both = (effective for node in nodes for effective in (node.installed, node.planned))
    for version in sorted({one.containerd for one in both if one is not None and not one.defaults_known}):
        yield f"containerd {version}: its defaults are those of the nearest version that was measured"
    if cluster is not None and not nodes:
        yield "without facts of nodes, what the API server knows (helmguard node gather reads more)"
