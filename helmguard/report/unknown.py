"""What could not be found out."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.plan import Plan
from helmguard.report.fact_text import facts_text
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.section import HEADING_WIDTH, counts_line
from helmguard.report.styles import EMPTY, Line, Span


def unknown(plan: Plan, pen: Pen) -> Iterator[Line]:
    """Objects that could not be read, rules without their facts, predictions with gaps."""
    yield from unknown_lines(unknown_items(plan), pen)


def unknown_lines(items: list[tuple[str, str]], pen: Pen) -> Iterator[Line]:
    """What and why, under a heading."""
    if not items:
        return
    yield from wrapped(
        counts_line("Unknown", [(str(len(items)), "warning")], pen), pen.page.columns, HEADING_WIDTH
    )
    for why, names in _by_reason(items).items():
        what = ", ".join(names)
        spans = [Span("  ? ", "warning"), pen.text(what, "bold"), Span("  "), pen.prose(why)]
        yield from wrapped(spans, pen.page.columns, 6)
    yield EMPTY


def _by_reason(items: list[tuple[str, str]]) -> dict[str, list[str]]:
    """What one reason makes unknown stands in one place, the reason said once."""
    found: dict[str, list[str]] = {}
    for what, why in items:
        found.setdefault(why, []).append(what)
    return found


def unstable(plan: Plan, pen: Pen) -> Iterator[Line]:
    """The fields that the templates render differently each time: what a real run writes is not known."""
    if not plan.unstable:
        return
    heading = counts_line(
        "Random", [("rendered differently each time; the real run writes other values", "dim")], pen
    )
    yield from wrapped(heading, pen.page.text_width, HEADING_WIDTH)
    for name in plan.unstable:
        yield from wrapped([Span("  ? ", "warning"), pen.text(name)], pen.page.columns, 6)
    yield EMPTY


def unknown_items(plan: Plan) -> list[tuple[str, str]]:
    """What is not known, and why."""
    items = [(item.what, item.why) for item in plan.unknown]
    said = {what for what, _ in items}
    for resource in plan.resources:
        name = str(resource.prediction.key)
        if resource.prediction.unknown and name not in said:
            items.append((name, resource.prediction.unknown))
    for finding in plan.findings:
        if finding.result == "unknown":
            missing = facts_text(finding.missing) or "a fact that is missing"
            items.append((f"{finding.rule} on {finding.where.name}", f"cannot be told without {missing}"))
    return items
