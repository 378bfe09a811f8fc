"""The last line of a check: the verdict, and the reason for the exit code."""

from __future__ import annotations

from collections import Counter

from helmguard.model.check_report import CheckReport, ReleaseState
from helmguard.model.finding import SEVERITIES, at_or_above
from helmguard.report.check_counts import finding_counts, findings_of, state_counts
from helmguard.report.check_exit_code import (
    check_exit_code,
    is_check_uncertain,
    is_release_refused,
    is_release_uncertain,
)
from helmguard.report.exit_code import CHANGES, FINDINGS, gating_findings
from helmguard.report.plural import plural
from helmguard.report.styles import Line, Span, Style

_CHANGES: tuple[tuple[ReleaseState, str, str], ...] = (
    ("changed", "changes", "change"),
    ("added", "comes", "come"),
    ("removed", "goes", "go"),
    ("noise", "changes in labels only", "change in labels only"),
)


def check_verdict(report: CheckReport) -> Line:
    """``Refused: 2 of 9 releases, for 2 blockers at or above the gate (danger). Exit 3.``"""
    text, style = _verdict(report)
    return (Span(text, style), Span(f" Exit {check_exit_code(report)}.", "bold"))


def verdict_text(report: CheckReport) -> str:
    """The same as plain text."""
    return "".join(span.text for span in check_verdict(report))


def _verdict(report: CheckReport) -> tuple[str, Style]:
    code = check_exit_code(report)
    unsure = uncertain_text(report)
    if code == FINDINGS:
        return f"Refused: {_refusal(report, unsure)}.", "bad"
    changes = changes_text(report)
    if code != CHANGES:
        same = state_counts(report)["same"]
        return f"Nothing to do: {_nothing(report, same)}.", "good"
    if not changes:
        return f"Not certain: no change found, but {unsure}.", "warning"
    said = [changes, _below_the_gate(report), _waived(report), unsure]
    uncertain = bool(unsure) or report.fail_on == "none"
    return f"{'; '.join(part for part in said if part)}.", "warning" if uncertain else "good"


def _nothing(report: CheckReport, same: int) -> str:
    if not report.releases:
        return "no release is concerned"
    return f"{plural(same, 'release')} {'renders' if same == 1 else 'render'} the same as before"


def changes_text(report: CheckReport) -> str:
    """``4 releases change, 1 comes``; empty where nothing does."""
    counts = state_counts(report)
    parts: list[str] = []
    for state, one, many in _CHANGES:
        count = counts[state]
        if count:
            number = plural(count, "release") if not parts else str(count)
            parts.append(f"{number} {one if count == 1 else many}")
    return ", ".join(parts)


def uncertain_text(report: CheckReport) -> str:
    """``2 releases and 1 thing of the repository not known``; empty where all was read.

    Without a cluster what is live is not known of any: that is said once and not counted.
    """
    if not is_check_uncertain(report):
        return ""
    unread = state_counts(report)["unknown"]
    partly = [one for one in report.releases if one.state != "unknown" and is_release_uncertain(one)]
    unread_inputs = sum(bool(one.declared.unknown) for one in partly)
    parts = [f"{plural(unread, 'release')} could not be compared"] if unread else []
    if unread_inputs:
        parts.append(f"of {plural(unread_inputs, 'release')} not all inputs were read")
    if report.live == "none" and any(one.state != "same" for one in partly):
        parts.append("what is live was not read")
    elif len(partly) > unread_inputs:
        parts.append(f"of {plural(len(partly) - unread_inputs, 'release')} not all is known")
    if report.unknown:
        parts.append(f"{plural(len(report.unknown), 'thing')} of the repository could not be read")
    return ", ".join(parts)


def _refusal(report: CheckReport, unsure: str) -> str:
    refused = [one for one in report.releases if is_release_refused(one)]
    plans = [one.plan for one in refused if one.plan is not None]
    severities = Counter(finding.severity for plan in plans for finding in gating_findings(plan))
    counted = [plural(severities[severity], severity) for severity in SEVERITIES if severities[severity]]
    failing = sum(plan.failure is not None for plan in plans)
    reasons = [f"by {' and '.join(counted)} at or above the gate ({report.fail_on})"] if counted else []
    reasons += [f"Helm will fail on {failing}"] if failing else []
    if not reasons:
        return f"{unsure}, which refuses too"
    by = f"{len(refused)} of {plural(len(report.releases), 'release')}, {', '.join(reasons)}"
    return f"{by}; {unsure}" if unsure else by


def _below_the_gate(report: CheckReport) -> str:
    fired = finding_counts(report)
    counted = [
        plural(fired[severity], severity)
        for severity in SEVERITIES
        if fired[severity] and severity != "info" and not at_or_above(severity, report.fail_on)
    ]
    if not counted:
        return f"no finding at or above the gate ({report.fail_on})"
    where = "and no gate (none)" if report.fail_on == "none" else f"below the gate ({report.fail_on})"
    return f"{' and '.join(counted)}, {where}"


def _waived(report: CheckReport) -> str:
    count = sum(finding.waived is not None for _, finding in findings_of(report))
    return f"{count} waived" if count else ""
