"""Losses that only a live object could avert: told one by one, though nobody has looked at the object."""

from __future__ import annotations

from helmguard.model.check_report import CheckedRelease
from helmguard.model.finding import Finding
from helmguard.report.fact_text import facts_text

_LIVE_OBJECT = "it.live"
_OF_DELETIONS = "delete-"
"""How the ids of rules about objects that go begin."""


def likely_findings(release: CheckedRelease) -> list[Finding]:
    """The unknown findings of grave rules about objects that go, where only their live state is not known."""
    if release.plan is None or release.state == "same":
        return []
    return [finding for finding in release.plan.findings if is_likely(finding)]


def is_likely(finding: Finding) -> bool:
    """Whether all that is known speaks for it."""
    return (
        finding.result == "unknown"
        and finding.waived is None
        and finding.severity in ("blocker", "danger")
        and finding.rule.startswith(_OF_DELETIONS)
        and _LIVE_OBJECT in finding.missing
    )


def likely_text(finding: Finding) -> str:
    """``is deleted, and the data on its volume with it: not certain without the live object``."""
    return f"{finding.title}: not certain without {facts_text(list(finding.missing))}"
