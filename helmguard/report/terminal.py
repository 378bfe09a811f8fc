"""The plan as a page for people."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan
from helmguard.report.config_use import config_use
from helmguard.report.drift import drift, drift_above
from helmguard.report.failure import failure
from helmguard.report.findings import findings
from helmguard.report.header import header
from helmguard.report.hooks import hooks
from helmguard.report.layout import wrapped
from helmguard.report.notes import notes
from helmguard.report.objects import objects
from helmguard.report.page import Page, Pen
from helmguard.report.section import HEADING_WIDTH
from helmguard.report.server_dry_run import server_dry_run
from helmguard.report.styles import EMPTY, Line, Span, to_text
from helmguard.report.unknown import unknown, unknown_items, unstable
from helmguard.report.values import values
from helmguard.report.verdict import verdict


def render_terminal(
    plan: Plan,
    page: Page,
    masker: Masker,
    *,
    quiet: bool = False,
    detailed: bool = True,
    goes_on: bool = False,
) -> str:
    """The whole page, or with ``quiet`` its last line; ends with a line feed.

    ``goes_on``: the program does not end with this page, so that its verdict names no exit code.
    The order is the reader's: is it safe, what is lost, what changes, what else goes on, what now.
    """
    pen = Pen(page, masker)
    last = [verdict(plan, detailed=detailed, goes_on=goes_on)]
    if quiet:
        return to_text(last, colour=page.colour)
    lines = [*_page(plan, pen), *wrapped(last[0], page.columns)]
    return to_text(lines, colour=page.colour)


def _page(plan: Plan, pen: Pen) -> Iterator[Line]:
    yield EMPTY
    yield from header(plan, pen)
    yield EMPTY
    yield from failure(plan, pen)
    yield from findings(plan, pen)
    yield from values(plan, pen)
    yield from objects(plan, pen)
    yield from hooks(plan, pen)
    yield from drift(plan, pen)
    yield from notes(plan, pen)
    yield from config_use(plan, pen)
    yield from server_dry_run(plan, pen)
    yield from unstable(plan, pen)
    yield from unknown(plan, pen)
    yield from _clear(plan, pen)


def _clear(plan: Plan, pen: Pen) -> Iterator[Line]:
    """One line for all questions whose answer is no: they were asked."""
    answers: list[tuple[str, str]] = []
    if not any(resource.drift for resource in plan.resources):
        answers.append(("Drift", drift_above(plan) or "none"))
    if plan.failure is None and not any(resource.prediction.error for resource in plan.resources):
        answers.append(("Will fail", "nothing foreseen"))
    if not unknown_items(plan):
        answers.append(("Unknown", "nothing"))
    spans: list[Span] = []
    for index, (question, answer) in enumerate(answers):
        spans += [Span("        ")] if index else []
        spans.append(Span(question.ljust(HEADING_WIDTH) if question == "Drift" else f"{question}  ", "bold"))
        spans.append(Span(answer, "dim"))
    if spans:
        yield from wrapped(spans, pen.page.columns, HEADING_WIDTH)
        yield EMPTY
