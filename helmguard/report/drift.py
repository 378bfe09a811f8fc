"""Drift that stays, apart from what Helm changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from helmguard.compare.causes import ALSO_LIVE
from helmguard.model.plan import Plan
from helmguard.report.field_rows import changes_as_lines
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line
from helmguard.report.styles import EMPTY, Line, Span, Style


def drift(plan: Plan, pen: Pen) -> Iterator[Line]:
    """The fields that somebody changed live and Helm leaves; nothing where there are none."""
    drifted = [resource for resource in plan.resources if resource.drift]
    if not drifted:
        return
    kept = sum(len(resource.drift) for resource in drifted)
    above = drift_above(plan)
    counts: list[tuple[str, Style]] = [(f"{plural(kept, 'live change')} kept", "warning")]
    if above:
        counts.append((above, ""))
    yield from wrapped(counts_line("Drift", counts, pen), pen.page.text_width, HEADING_WIDTH)
    for resource in drifted:
        yield from wrapped(
            [Span("  ! ", "warning"), pen.text(str(resource.prediction.key), "bold")], pen.page.columns
        )
        yield from changes_as_lines(resource.prediction.key, list(resource.drift), plan, pen)
    yield EMPTY


def drift_above(plan: Plan) -> str:
    """``2 set back, 1 in conflict (above)``: live changes that the objects' own entries show."""
    failing = Counter(
        resource.prediction.error != ""
        for resource in plan.resources
        for change in resource.changes
        if change.cause == "conflict"
    )
    overwritten = sum(
        change.note == ALSO_LIVE and bool(change.manager)
        for resource in plan.resources
        for change in resource.changes
    )
    counts = (
        (count_reverted(plan), "set back"),
        (overwritten, "overwritten"),
        (failing[True], "in conflict"),
        (failing[False], "taken over by force"),
    )
    said = ", ".join(f"{count} {what}" for count, what in counts if count)
    return f"{said} (above)" if said else ""


def count_reverted(plan: Plan) -> int:
    """Fields that somebody changed live and Helm sets back; an object that comes back counts once."""
    fields = sum(
        1
        for resource in plan.resources
        if resource.action != "recreate"
        for change in resource.changes
        if change.cause == "drift reverted" and not change.bookkeeping
    )
    return fields + sum(1 for resource in plan.resources if resource.action == "recreate")
