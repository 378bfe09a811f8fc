"""What of a plan no longer holds: why it is refused although it was reviewed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.masking.masker import Masker
from helmguard.model.json_value import JSONValue
from helmguard.model.plan_difference import PlanDifference
from helmguard.report.layout import wrapped
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.styles import EMPTY, Line, Span, to_text


def render_stale(differences: Sequence[PlanDifference], page: Page, masker: Masker) -> str:
    """The differences and the verdict; ends with a line feed."""
    return to_text(stale_lines(differences, Pen(page, masker)), colour=page.colour)


def stale_lines(differences: Sequence[PlanDifference], pen: Pen, *, goes_on: bool = False) -> Iterator[Line]:
    """The same, for whoever prints nothing; ``goes_on``: without the exit code."""
    yield EMPTY
    yield (Span(f"{pen.symbols.fail} STALE", "blocker"), Span("  the plan no longer holds", "bold"))
    for each in differences:
        yield from wrapped([Span("    "), pen.text(_heading(each), "bold")], pen.page.text_width, 6)
        for label, text in (("planned", each.planned), ("now", each.now)):
            said = pen.prose(text.replace(" -> ", f" {pen.symbols.arrow} "))
            yield from wrapped([Span(f"      {label:<9}", "dim"), said], pen.page.text_width, 15)
    yield EMPTY
    count = plural(len(differences), "thing")
    text = f"Refused: {count} changed since the plan was made; nothing was changed."
    code = [] if goes_on else [Span(" Exit 3.", "bold")]
    yield from wrapped([Span(text, "bad"), *code], pen.page.columns)
    yield (Span("Plan again, and review what is different.", "dim"),)


def _heading(difference: PlanDifference) -> str:
    """``live object Deployment/web``; not ``revision last revision``."""
    if difference.what in difference.name.split():
        return difference.name
    return f"{difference.what} {difference.name}".rstrip()


def differences_to_list(differences: Sequence[PlanDifference], masker: Masker) -> list[JSONValue]:
    """As JSON."""
    return [
        {
            "what": each.what,
            "name": masker.text(each.name),
            "planned": masker.text(each.planned),
            "now": masker.text(each.now),
        }
        for each in differences
    ]
