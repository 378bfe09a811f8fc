"""The exit code of a check of nodes, and what decides it."""

from __future__ import annotations

from helmguard.model.finding import Finding, at_or_above
from helmguard.model.node_report import NodeReport
from helmguard.report.exit_code import CHANGES, FINDINGS, NOTHING_TO_DO


def node_exit_code(report: NodeReport) -> int:
    """0 nothing was found and all that was needed was known, 2 something was, or was not known, 3 refused.

    What only informs, and what is waived, counts for nothing. With ``fail_on_unknown`` what is not known
    refuses too, unless the gate is ``none``.
    """
    if is_node_check_refused(report):
        return FINDINGS
    return CHANGES if counted_findings(report) or is_node_check_uncertain(report) else NOTHING_TO_DO


def is_node_check_refused(report: NodeReport) -> bool:
    """Whether something is at or above the gate."""
    if report.fail_on == "none":
        return False
    return bool(gating_node_findings(report)) or (report.fail_on_unknown and is_node_check_uncertain(report))


def counted_findings(report: NodeReport) -> list[Finding]:
    """The findings that fire, are not waived, and do more than inform."""
    return [
        finding
        for finding in report.findings
        if finding.result == "fires" and finding.waived is None and finding.severity != "info"
    ]


def gating_node_findings(report: NodeReport) -> list[Finding]:
    """Those of them at or above the gate."""
    return [one for one in counted_findings(report) if at_or_above(one.severity, report.fail_on)]


def is_node_check_uncertain(report: NodeReport) -> bool:
    """Whether something is unknown that decides: a node's configuration, a fact that a gating rule needs."""
    gate = "danger" if report.fail_on == "none" else report.fail_on
    return bool(report.unknown) or any(
        finding.result == "unknown" and finding.waived is None and at_or_above(finding.severity, gate)
        for finding in report.findings
    )
