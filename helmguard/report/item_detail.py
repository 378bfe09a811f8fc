"""What there is to read about one item of a review."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from helmguard.masking.secret_marks import without_digest
from helmguard.model.field_path import format_path
from helmguard.model.finding import Finding
from helmguard.model.plan import LeftOver, Plan, PlanOperation, ResourceChange, Unknown
from helmguard.model.prediction import Failure
from helmguard.model.value_change import Provenance, ValueChange, ValueWarning
from helmguard.report.cause_marks import cause_letter
from helmguard.report.comparison_page import comparison_header
from helmguard.report.drift_header import drift_header
from helmguard.report.failure import covers_failure, failure_order
from helmguard.report.findings import finding_details, labelled, said_spans, severity_sign
from helmguard.report.header import header
from helmguard.report.hooks import hook_text
from helmguard.report.layout import wrapped
from helmguard.report.objects import object_head
from helmguard.report.page import Pen
from helmguard.report.provenance_text import cause_text, provenance_text
from helmguard.report.review_items import (
    DriftedObject,
    FindingDetails,
    ReviewedField,
    ReviewedHook,
    ReviewItem,
    Section,
    SeverityGroup,
)
from helmguard.report.styles import Line, Span
from helmguard.report.three_way import (
    changed_text_lines,
    fields_of,
    rows_of_fields,
    three_way_row,
    three_way_table,
    value_texts,
)
from helmguard.report.values import change_rows

_FIELDS = 60
_TABLE = 300
_REACHED = 12


def detail_lines(item: ReviewItem, plan: Plan, pen: Pen, rule: str = "") -> list[Line]:
    """The lines for the item under the cursor; ``rule`` is the summary of a finding's rule, if known."""
    return list(_lines(item, plan, pen, rule))


def _lines(item: ReviewItem, plan: Plan, pen: Pen, rule: str) -> Iterator[Line]:
    if isinstance(item, FindingDetails):
        item = item.finding
    if isinstance(item, Finding):
        yield from finding_detail(item, plan, pen, rule)
    elif isinstance(item, ValueChange):
        yield from value_detail(item, plan, pen)
    elif isinstance(item, ValueWarning):
        yield from _warning(item, pen)
    elif isinstance(item, ReviewedField):
        yield from _field(item, plan, pen)
    elif isinstance(item, ResourceChange):
        yield from object_detail(item, plan, pen)
    elif isinstance(item, DriftedObject):
        yield from object_detail(item.resource, plan, pen)
    elif isinstance(item, ReviewedHook):
        yield from _hook(item, plan, pen)
    elif isinstance(item, Failure):
        yield from wrapped(
            [Span(f"{pen.symbols.fail} ", "bad"), pen.prose(item.message)], pen.page.text_width, 2
        )
        yield from wrapped([pen.text(failure_order(plan))], pen.page.text_width)
    elif isinstance(item, Unknown):
        yield from wrapped([Span("? ", "warning"), pen.text(item.what, "bold")], pen.page.columns, 2)
        yield from wrapped([pen.prose(item.why)], pen.page.text_width)
    elif isinstance(item, LeftOver):
        yield from wrapped([pen.text(str(item.key), "bold")], pen.page.columns, 2)
        text = "A live object with the release's marks that its deployed manifest does not hold."
        yield from wrapped([Span(text)], pen.page.text_width)
    elif isinstance(item, SeverityGroup):
        for finding in plan.findings:
            if finding.result == "fires" and item.holds(finding):
                yield from wrapped(said_spans(finding, pen), pen.page.columns, 4)
    elif isinstance(item, Section):
        yield from _HEADERS.get(plan.operation, header)(plan, pen)


_HEADERS: dict[PlanOperation, Callable[[Plan, Pen], Iterator[Line]]] = {
    "drift": drift_header,
    "comparison": comparison_header,
}


def finding_detail(finding: Finding, plan: Plan, pen: Pen, rule: str = "") -> Iterator[Line]:
    """One finding in full: what it is, what follows, what to do, what it rests on, and its rule."""
    badge = (
        Span(f"{pen.symbols.fail} WILL FAIL", "blocker")
        if covers_failure(finding, plan)
        else Span(f"{severity_sign(finding.severity, pen).text} {finding.severity.upper()}", finding.severity)
    )
    yield from wrapped([badge, Span("  "), *said_spans(finding, pen)], pen.page.columns, 4)
    yield from finding_details(finding, plan, pen)
    for index, text in enumerate(finding.evidence):
        yield from labelled("" if index else "evidence", [pen.prose(text)], pen)
    yield from labelled("rule", [pen.text(finding.rule)], pen)
    if rule:
        yield from labelled("", [pen.prose(rule, "dim")], pen)
        yield from labelled("", [pen.command(f"helmguard rules show {finding.rule}", "dim")], pen)


def value_detail(change: ValueChange, plan: Plan, pen: Pen) -> Iterator[Line]:
    """Both sides of a value with where they come from, why it changes, and the fields it reaches."""
    path = format_path(change.path)
    yield from wrapped(
        [Span(pen.escape(without_digest(pen.masker.path(change.path))), "bold")], pen.page.columns, 4
    )
    before, after = pen.masker.value_change(change)
    texts = value_texts([before, after], pen, max(24, pen.page.text_width - 40))
    yield from _side("before", texts[0], change.provenance_before, pen)
    yield from _side("after", texts[1], change.provenance_after, pen)
    style = "bad" if change.cause == "lost override" else ""
    yield from labelled("why", [pen.text(cause_text(change), style)], pen)  # type: ignore[arg-type]
    for cells in change_rows(change, pen)[1:]:
        yield (Span(" " * 14), *(span for cell in cells for span in (*cell, Span("  "))))
    for span in pen.values.line_changes(before, after):
        yield (Span(" " * 14), span)
    reached = [
        (resource, field)
        for resource in plan.resources
        for field in resource.changes
        if field.value_path == path
    ]
    for index, (resource, field) in enumerate(reached[:_REACHED]):
        where = [pen.text(f"{resource.prediction.key} "), pen.text(pen.masker.path(field.path))]
        yield from labelled("" if index else "reaches", where, pen)
    if len(reached) > _REACHED:
        yield from labelled("", [Span(f"and {len(reached) - _REACHED} more", "dim")], pen)


def _side(name: str, value: str, provenance: Provenance | None, pen: Pen) -> list[Line]:
    spans = [Span(value)]
    text = provenance_text(provenance)
    if provenance is not None and provenance.kind == "chart default" and provenance.source:
        text = f"default of chart {provenance.source}"
    elif provenance is not None and provenance.kind.startswith("--set") and provenance.source:
        text = " ".join(pen.masker.words([provenance.kind, provenance.source]))
    if text:
        spans += [Span("   "), pen.text(text, "dim")]
    return labelled(name, spans, pen)


def _warning(warning: ValueWarning, pen: Pen) -> Iterator[Line]:
    path = Span(pen.escape(without_digest(pen.masker.path(warning.path))), "bold")
    yield from wrapped([path], pen.page.columns, 4)
    yield from labelled("what", [pen.prose(warning.message)], pen)
    for name, value in (("before", warning.before), ("after", warning.after)):
        if value is not None:
            yield from labelled(name, [Span(pen.values.value(pen.masker.value(warning.path, value)))], pen)
    for index, text in enumerate(warning.items):
        yield from labelled("" if index else "loses", [pen.prose(text)], pen)
    if warning.provenance is not None:
        yield from labelled("from", [pen.text(provenance_text(warning.provenance))], pen)


def object_detail(resource: ResourceChange, plan: Plan, pen: Pen) -> Iterator[Line]:
    """An object: what happens to it and why, then its fields in four columns."""
    yield from object_facts(resource, plan, pen)
    yield from field_table(resource, plan, pen, shown=_FIELDS)


def field_table(
    resource: ResourceChange, plan: Plan, pen: Pen, all_fields: bool = False, shown: int = _TABLE
) -> Iterator[Line]:
    """The fields of an object in four columns; ``all_fields``: those that nothing happens to as well."""
    every = fields_of(resource, all_fields=all_fields)
    rows = rows_of_fields(resource, every[:shown], pen.masker)
    head, lines_of = three_way_table(resource, rows, plan, pen)
    yield from head
    for row, lines in zip(rows, lines_of, strict=True):
        yield from lines
        if row.change is not None:
            yield from changed_text_lines(resource, row.change, pen)
    if len(every) > len(rows):
        yield (Span(f"{pen.symbols.ellipsis} {len(every) - len(rows)} more fields", "dim"),)
    if not every:
        yield (Span("No field of it changes.", "dim"),)


def object_facts(resource: ResourceChange, plan: Plan, pen: Pen) -> Iterator[Line]:
    """The object's head, and what explains it."""
    yield from wrapped(object_head(resource, plan, pen), pen.page.columns, 4)
    yield from object_why(resource, plan, pen)


def object_why(resource: ResourceChange, plan: Plan, pen: Pen) -> Iterator[Line]:
    """Why it is so, what Helm fails with, what is not known, the template; not what its head says."""
    prediction = resource.prediction
    said = "".join(span.text for span in object_head(resource, plan, pen))
    facts = (
        ("why", pen.prose(prediction.why)),
        ("error", pen.prose(prediction.error, "bad")),
        ("unknown", pen.prose(prediction.unknown, "warning")),
        ("template", pen.text(prediction.source, "dim")),
    )
    for name, span in facts:
        if span.text and span.text not in said:
            yield from labelled(name, [span], pen)


def _field(item: ReviewedField, plan: Plan, pen: Pen) -> Iterator[Line]:
    """One field of an object, its four values, and what is known of its cause."""
    change = item.change
    yield from wrapped(object_head(item.resource, plan, pen), pen.page.columns, 4)
    rows = [three_way_row(item.resource, change, pen.masker)]
    head, lines_of = three_way_table(item.resource, rows, plan, pen)
    yield from head
    yield from lines_of[0]
    yield from changed_text_lines(item.resource, change, pen)
    facts = (
        ("cause", [cause_letter(change.cause), pen.text(f" {change.cause}")]),
        ("value", [pen.text(change.value_path)] if change.value_path else []),
        ("manager", [pen.text(change.manager)] if change.manager else []),
        ("since", [pen.text(change.since)] if change.since else []),
        ("note", [pen.prose(change.note)] if not change.note.startswith("changed ") else []),
    )
    for name, spans in facts:
        if spans and spans[0].text:
            yield from labelled(name, spans, pen)


def _hook(item: ReviewedHook, plan: Plan, pen: Pen) -> Iterator[Line]:
    run = item.run
    yield from wrapped([pen.text(f"{run.kind}/{run.name}", "bold")], pen.page.columns, 4)
    yield from labelled("runs", [pen.text(f"{run.event}, number {run.order} of its event")], pen)
    yield from labelled("how", [pen.text(hook_text([run]))], pen)
    if run.source:
        yield from labelled("template", [pen.text(run.source, "dim")], pen)
    if item.resource is not None and item.resource.changes:
        yield from object_detail(item.resource, plan, pen)
