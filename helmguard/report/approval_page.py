"""What is approved: read last of all before helm is let run. For the terminal interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.model.execution import Acceptance
from helmguard.model.plan import Plan
from helmguard.report.exit_code import gating_findings
from helmguard.report.failure import failure
from helmguard.report.findings import said_spans, severity_sign
from helmguard.report.header import header
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.refusal import how_to_accept
from helmguard.report.shell_lines import command_lines
from helmguard.report.styles import EMPTY, Line, Span
from helmguard.report.verdict import verdict

_LABEL = 11
_SHOWN = 6


def approval_lines(
    plan: Plan,
    command: str,
    cluster: Sequence[str],
    acceptances: Sequence[Acceptance],
    why: Sequence[str],
    pen: Pen,
) -> Iterator[Line]:
    """``command`` is helm's, ``cluster`` its name and address, ``why`` the reasons to ask with care."""
    yield from header(plan, pen)
    yield EMPTY
    yield from _labelled("cluster", [pen.text("  ".join(part for part in cluster if part), "bold")], pen)
    yield from command_lines("runs", pen.command(command).text, pen.page.columns, 0, _LABEL)
    yield from _labelled("changes", verdict(plan, goes_on=True), pen)
    for each in acceptances:
        spans = [pen.text(each.rule, "warning"), Span(": "), pen.prose(each.reason)]
        yield from _labelled("accepted", spans, pen)
    for text in why:
        yield from _labelled("destroys", [pen.prose(text, "danger")], pen)


def refused_lines(plan: Plan, pen: Pen, how: str) -> Iterator[Line]:
    """Why the gate refuses it; ``how`` says in which way a finding is accepted."""
    yield from wrapped(verdict(plan, goes_on=True), pen.page.columns)
    yield from failure(plan, pen)
    found = gating_findings(plan)
    for finding in found[:_SHOWN]:
        spans = [Span("  "), severity_sign(finding.severity, pen), Span(" "), *said_spans(finding, pen)]
        yield from wrapped(spans, pen.page.columns, 6)
    if len(found) > _SHOWN:
        yield (Span(f"  {pen.symbols.ellipsis} {len(found) - _SHOWN} more", "dim"),)
    yield EMPTY
    hint = how if found and plan.failure is None else how_to_accept(plan)
    yield from wrapped([pen.prose(hint, "dim")], pen.page.columns)


def _labelled(label: str, spans: Sequence[Span], pen: Pen) -> list[Line]:
    return wrapped([Span(label.ljust(_LABEL), "dim"), *spans], pen.page.columns, _LABEL)
