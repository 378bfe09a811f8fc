"""The last line of a check of nodes: the verdict, and the reason for the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from helmguard.model.finding import SEVERITIES, Finding
from helmguard.model.node_report import NodeReport
from helmguard.report.exit_code import FINDINGS, NOTHING_TO_DO
from helmguard.report.node_exit_code import (
    counted_findings,
    gating_node_findings,
    is_node_check_uncertain,
    node_exit_code,
)
from helmguard.report.node_plan import plan_of_nodes
from helmguard.report.plural import plural
from helmguard.report.styles import Line, Span, Style
from helmguard.report.unknown import unknown_items


def node_verdict(report: NodeReport) -> Line:
    """``Refused: 1 blocker at or above the gate (danger). Exit 3.``"""
    text, style = _verdict(report)
    return (Span(text, style), Span(f" Exit {node_exit_code(report)}.", "bold"))


def node_verdict_text(report: NodeReport) -> str:
    """The same as plain text."""
    return "".join(span.text for span in node_verdict(report))


def _verdict(report: NodeReport) -> tuple[str, Style]:
    code = node_exit_code(report)
    unsure = _unsure(report)
    if code == FINDINGS:
        gating = gating_node_findings(report)
        if not gating:
            return f"Refused: {unsure}, which refuses too.", "bad"
        reason = f"{_counted(gating)} at or above the gate ({report.fail_on})"
        return f"Refused: {'; '.join(part for part in (reason, unsure) if part)}.", "bad"
    if code == NOTHING_TO_DO:
        told = [_nothing(report), _waived(report)]
        return f"{'; '.join(part for part in told if part)}.", "good"
    below = counted_findings(report)
    if not below:
        return f"Not certain: nothing found, but {unsure}.", "warning"
    where = "and no gate (none)" if report.fail_on == "none" else f"below the gate ({report.fail_on})"
    told = [f"{_counted(below)}, {where}", _waived(report), unsure]
    return f"{'; '.join(part for part in told if part)}.", "warning"


def _nothing(report: NodeReport) -> str:
    """What was looked at."""
    what = plural(len(report.nodes), "node") if report.nodes else "what the API server knows of the nodes"
    planned = f", also under containerd {report.planned}" if report.planned else ""
    return f"Nothing found: {what} looked at{planned}"


def _waived(report: NodeReport) -> str:
    count = sum(finding.waived is not None for finding in report.findings)
    return f"{count} waived" if count else ""


def _unsure(report: NodeReport) -> str:
    if not is_node_check_uncertain(report):
        return ""
    return f"{plural(max(1, len(unknown_items(plan_of_nodes(report)))), 'thing')} not known"


def _counted(findings: Iterable[Finding]) -> str:
    counts = Counter(finding.severity for finding in findings)
    return " and ".join(plural(counts[severity], severity) for severity in SEVERITIES if counts[severity])
