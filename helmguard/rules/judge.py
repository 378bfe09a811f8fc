"""Judges facts by the rules."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.model.finding import SEVERITIES, Finding
from helmguard.rules.context.root import Context
from helmguard.rules.engine.evaluate import Verdict
from helmguard.rules.engine.rule import Pack
from helmguard.rules.facts import Facts
from helmguard.rules.packs import judge_of


def judge(facts: Facts, extra: tuple[Pack, ...] = (), context: Context | None = None) -> Verdict:
    """All findings, gravest first, in a stable order. ``extra``: packs beside the built-in ones."""
    by_rules = judge_of(extra).judge(context or Context(facts))
    findings = sorted(
        by_rules.findings,
        key=lambda finding: (SEVERITIES.index(finding.severity), finding.rule, finding.where.name),
    )
    return Verdict(tuple(findings), by_rules.suppressed)


def missing_facts(findings: Iterable[Finding]) -> frozenset[str]:
    """What of the cluster the findings lack: ``cluster.nodes``, ``cluster.customResources``, …"""
    return frozenset(fact for finding in findings for fact in finding.missing if fact.startswith(_CLUSTER))


_CLUSTER = "cluster."
