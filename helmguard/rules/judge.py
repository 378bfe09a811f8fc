"""Runs every detector over the facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from helmguard.model.finding import SEVERITIES, Finding
from helmguard.rules.facts import Facts
from helmguard.rules.foretold_failure import foretold_failures
from helmguard.rules.lost_override import lost_overrides
from helmguard.rules.release_state import release_state
from helmguard.rules.value_warnings import value_warnings

DETECTORS: tuple[Callable[[Facts], Iterator[Finding]], ...] = (
    lost_overrides,
    foretold_failures,
    value_warnings,
    release_state,
)


def judge(facts: Facts) -> tuple[Finding, ...]:
    """All findings, gravest first, in a stable order."""
    findings = [finding for detector in DETECTORS for finding in detector(facts)]
    findings.sort(key=lambda finding: (SEVERITIES.index(finding.severity), finding.rule, finding.where.name))
    return tuple(findings)
