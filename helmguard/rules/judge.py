"""Runs every detector over the facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from helmguard.model.finding import SEVERITIES, Finding
from helmguard.rules.adoption import adoption
from helmguard.rules.context.root import Context
from helmguard.rules.dropped_fields import dropped_fields
from helmguard.rules.duplicate_objects import duplicate_objects
from helmguard.rules.engine.evaluate import Verdict
from helmguard.rules.engine.rule import Pack
from helmguard.rules.facts import Facts
from helmguard.rules.failed_revisions import orphaned_objects
from helmguard.rules.foretold_failure import foretold_failures
from helmguard.rules.hook_left_overs import hook_left_overs
from helmguard.rules.hook_moves import hook_moves
from helmguard.rules.hook_needs import hook_needs
from helmguard.rules.keep_policy import keep_policy
from helmguard.rules.lost_items import lost_list_items
from helmguard.rules.other_releases import other_releases
from helmguard.rules.packs import judge_of
from helmguard.rules.record_too_big import record_too_big
from helmguard.rules.release_state import release_state
from helmguard.rules.stale_definitions import stale_definitions
from helmguard.rules.unnamed_objects import unnamed_objects
from helmguard.rules.value_warnings import value_warnings

DETECTORS: tuple[Callable[[Facts], Iterator[Finding]], ...] = (
    foretold_failures,
    value_warnings,
    release_state,
    adoption,
    other_releases,
    keep_policy,
    orphaned_objects,
    hook_moves,
    hook_left_overs,
    hook_needs,
    stale_definitions,
    dropped_fields,
    duplicate_objects,
    lost_list_items,
    record_too_big,
    unnamed_objects,
)


def judge(facts: Facts, extra: tuple[Pack, ...] = (), context: Context | None = None) -> Verdict:
    """All findings, gravest first, in a stable order. ``extra``: packs beside the built-in ones."""
    by_rules = judge_of(extra).judge(context or Context(facts))
    findings = [finding for detector in DETECTORS for finding in detector(facts)]
    findings += by_rules.findings
    findings.sort(key=lambda finding: (SEVERITIES.index(finding.severity), finding.rule, finding.where.name))
    return Verdict(tuple(findings), by_rules.suppressed)


def missing_facts(findings: Iterable[Finding]) -> frozenset[str]:
    """What of the cluster the findings lack: ``cluster.nodes``, ``cluster.customResources``, …"""
    return frozenset(fact for finding in findings for fact in finding.missing if fact.startswith(_CLUSTER))


_CLUSTER = "cluster."
