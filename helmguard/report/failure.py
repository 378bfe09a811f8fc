"""The failure that Helm will meet."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.finding import Finding
from helmguard.model.plan import Plan
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.styles import EMPTY, Line, Span

_NAMED = 6


def failure(plan: Plan, pen: Pen) -> Iterator[Line]:
    """The failure as an item of its own, where no finding speaks of it."""
    if plan.failure is None or any(covers_failure(finding, plan) for finding in plan.findings):
        return
    where = str(plan.failure.resource) if plan.failure.resource else plan.release.name
    title = [Span(f"{pen.symbols.fail} WILL FAIL", "blocker"), Span("  "), pen.text(where, "bold")]
    yield from wrapped(title, pen.page.columns, 4)
    yield from wrapped([Span("    "), pen.prose(plan.failure.message)], pen.page.text_width, 4)
    yield from wrapped([Span("    "), pen.text(failure_order(plan))], pen.page.text_width, 4)
    yield EMPTY


def covers_failure(finding: Finding, plan: Plan) -> bool:
    """Whether a blocker speaks of an object that will fail, or of the failure itself."""
    if finding.severity != "blocker" or finding.result != "fires":
        return False
    if plan.failure is not None and finding.consequence == plan.failure.message:
        return True
    failing = {str(resource.prediction.key) for resource in plan.resources if resource.prediction.error}
    if plan.failure is not None and plan.failure.resource is not None:
        failing.add(str(plan.failure.resource))
    return finding.where.on == "object" and finding.where.name in failing


def failure_order(plan: Plan) -> str:
    """What is already changed when Helm fails."""
    if plan.failure is None:
        return ""
    applied = [str(key) for key in plan.failure.applied_before]
    if not applied:
        return "nothing will have been changed by then"
    named = ", ".join(applied[:_NAMED])
    more = f" and {len(applied) - _NAMED} more" if len(applied) > _NAMED else ""
    return f"before it fails, already changed and not rolled back: {named}{more}"
