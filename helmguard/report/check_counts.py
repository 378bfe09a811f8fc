"""What a check amounts to, in numbers. Every output counts here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import get_args

from helmguard.model.check_report import CheckedRelease, CheckReport, ReleaseState
from helmguard.model.finding import SEVERITIES, Finding, Severity
from helmguard.model.json_value import JSONObject
from helmguard.report.check_exit_code import is_release_refused, is_release_uncertain

STATES: tuple[ReleaseState, ...] = get_args(ReleaseState)


def check_summary(report: CheckReport) -> JSONObject:
    """The ``summary`` of the JSON."""
    states = state_counts(report)
    fired = finding_counts(report)
    told = list(findings_of(report))
    return {
        "read": report.read,
        "concerned": len(report.releases),
        "states": {state: states[state] for state in STATES},
        "refused": sum(map(is_release_refused, report.releases)),
        "uncertain": sum(map(is_release_uncertain, report.releases)),
        "findings": {severity: fired[severity] for severity in SEVERITIES},
        "findingsUnknown": sum(finding.result == "unknown" for _, finding in told),
        "findingsWaived": sum(finding.waived is not None for _, finding in told),
        "unknown": len(report.unknown),
        "untouched": len(report.untouched),
    }


def state_counts(report: CheckReport) -> Counter[ReleaseState]:
    """Releases by state."""
    return Counter(release.state for release in report.releases)


def finding_counts(report: CheckReport) -> Counter[Severity]:
    """Findings that fire, waived ones left out, by severity."""
    return Counter(
        finding.severity
        for _, finding in findings_of(report)
        if finding.result == "fires" and finding.waived is None
    )


def findings_of(report: CheckReport) -> Iterator[tuple[CheckedRelease, Finding]]:
    """Every finding with its release."""
    for release in report.releases:
        for finding in release.plan.findings if release.plan is not None else ():
            yield release, finding
