"""Judges nodes by the rules that look at nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from msgspec.structs import replace

from helmguard.model.finding import SEVERITIES, Finding, Place
from helmguard.rules.context.root import BUILDERS, NODE_BUILDERS, NodeContext
from helmguard.rules.engine.evaluate import Judge, Verdict
from helmguard.rules.engine.rule import Pack, Rule
from helmguard.rules.node_side import NodeSide
from helmguard.rules.packs import NODE_PACK, builtin_packs, new_engine

_OF_CLUSTER: Final = "handlers"
"""The topic that is about a cluster's objects."""


def judge_nodes(side: NodeSide, extra: tuple[Pack, ...] = (), *, live: bool = False) -> Verdict:
    """All findings, gravest first, in a stable order.

    ``extra`` are packs of the user's, of which those rules count that name topics about nodes alone.
    Without a cluster (``live``) nothing is said to be unknown for want of one, and without facts of nodes
    nothing for want of those: they were not asked for.
    """
    packs = node_packs(extra)
    judge = _judge(packs)
    only = [rule.id for pack in packs for rule in pack.rules if _is_asked(rule, side)]
    verdict = judge.judge(NodeContext(side), only)
    told = [_placed(one, side) for one in verdict.findings if live or not _lacks_only_a_cluster(one)]
    told.sort(key=lambda one: (SEVERITIES.index(one.severity), one.rule, one.where.name, one.where.line))
    return Verdict(tuple(told), verdict.suppressed)


def node_packs(extra: tuple[Pack, ...] = ()) -> tuple[Pack, ...]:
    """The rules about nodes: the built-in pack's, and those of ``extra`` that name no other topic."""
    return _node_packs(extra)


@cache
def _node_packs(extra: tuple[Pack, ...]) -> tuple[Pack, ...]:
    own = [replace(pack, applies=None) for pack in builtin_packs() if pack.name == NODE_PACK]
    packs = (_about_nodes(pack) for pack in (*own, *extra))
    return tuple(pack for pack in packs if pack.rules)


def _about_nodes(pack: Pack) -> Pack:
    words = pack.applies.words() & BUILDERS.keys() if pack.applies is not None else frozenset()
    rules = pack.rules if words <= NODE_BUILDERS.keys() else ()
    return replace(pack, rules=tuple(rule for rule in rules if _is_about_nodes(rule)))


def _is_about_nodes(rule: Rule) -> bool:
    topics = rule.topics(BUILDERS)
    return bool(topics) and topics <= NODE_BUILDERS.keys()


@cache
def _judge(packs: tuple[Pack, ...]) -> Judge:
    return Judge(packs, new_engine(), BUILDERS)


def _is_asked(rule: Rule, side: NodeSide) -> bool:
    """Without facts of nodes there is only what the API server knows of them."""
    return bool(side.nodes) or rule.over.partition(".")[0] == _OF_CLUSTER


def _lacks_only_a_cluster(finding: Finding) -> bool:
    if finding.result != "unknown" or not finding.missing:
        return False
    return all(fact.partition(".")[0] in ("cluster", _OF_CLUSTER) for fact in finding.missing)


def _placed(finding: Finding, side: NodeSide) -> Finding:
    """A rule that says nothing of any item is about all nodes, not about a release."""
    if finding.where.on != "release" or finding.where.name:
        return finding
    names = [node.facts.name for node in side.nodes]
    return replace(finding, where=Place("node", names[0] if len(names) == 1 else "all nodes"))


def rules_about_nodes(extra: tuple[Pack, ...] = ()) -> Iterator[str]:
    """The ids of the rules that a check of nodes asks."""
    return (rule.id for pack in node_packs(extra) for rule in pack.rules)
