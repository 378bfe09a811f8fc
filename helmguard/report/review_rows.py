"""What stands on each row of a review's tree."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.compare.object_drift import ObjectDrift
from helmguard.compare.weight import restarts_pods
from helmguard.masking.secret_marks import without_digest
from helmguard.model.finding import Finding
from helmguard.model.plan import LeftOver, Plan, ResourceChange, Unknown
from helmguard.model.prediction import Failure
from helmguard.model.value_change import ValueChange, ValueWarning
from helmguard.report.cause_marks import cause_letter
from helmguard.report.counts_text import noise_words
from helmguard.report.drift_fields import drift_value, moment, who_and_when
from helmguard.report.failure import covers_failure
from helmguard.report.field_rows import field_row, field_value
from helmguard.report.findings import finding_details, said_spans, severity_sign
from helmguard.report.hooks import hook_text
from helmguard.report.layout import Row, columns_by_row, wrapped
from helmguard.report.objects import object_head
from helmguard.report.page import Pen
from helmguard.report.plan_counts import is_noise
from helmguard.report.plural import plural
from helmguard.report.review_items import (
    Counted,
    DriftedObject,
    FindingDetails,
    ReviewedField,
    ReviewedHook,
    ReviewNode,
    Section,
    SeverityGroup,
)
from helmguard.report.section import HEADING_WIDTH, dotted
from helmguard.report.styles import Line, Span
from helmguard.report.values import change_rows, path_line

_HANGING = 4


def sibling_lines(nodes: Sequence[ReviewNode], plan: Plan, pen: Pen) -> list[list[Line]]:
    """The lines of each of the nodes, which stand below one other; fields and values are aligned."""
    table = [index for index, node in enumerate(nodes) if isinstance(node.item, ReviewedField | ValueChange)]
    aligned = columns_by_row([_cells(nodes[index], plan, pen) for index in table], pen.page.columns, 0)
    found = dict(zip(table, aligned, strict=True))
    return [found.get(index) or _lines(node, plan, pen) for index, node in enumerate(nodes)]


def _lines(node: ReviewNode, plan: Plan, pen: Pen) -> list[Line]:
    if isinstance(node.item, FindingDetails):
        return list(finding_details(node.item.finding, plan, pen))
    return wrapped(_spans(node, plan, pen), pen.page.columns, _HANGING)


def _cells(node: ReviewNode, plan: Plan, pen: Pen) -> Row:
    item = node.item
    if isinstance(item, ValueChange):
        return change_rows(item, pen)[0]
    assert isinstance(item, ReviewedField)
    return _field_cells(item, plan, pen)


def _field_cells(item: ReviewedField, plan: Plan, pen: Pen) -> Row:
    """The sign and the cause's letter, the path, the values, the cause in words."""
    key, change = item.resource.prediction.key, item.change
    sign, path, value, why = field_row(key, change, plan, pen)
    if plan.operation == "drift":
        value = tuple(drift_value(key, change, pen))
        why = (pen.text(who_and_when(change), "dim"),)
    elif not value:
        value = (Span("text of several lines", "dim"),)
    if item.kind == "ignored":
        why = (Span("ignored", "dim"),)
    elif item.kind == "latent":
        value = tuple(field_value(key, change, pen))
    return [(*sign, Span(" "), cause_letter(change.cause)), path, value, why]


def _spans(node: ReviewNode, plan: Plan, pen: Pen) -> list[Span]:
    item = node.item
    if isinstance(item, Section):
        counts = dotted([Span(*count) for count in item.counts], pen)
        return [Span(f"{item.title} ".ljust(HEADING_WIDTH + 1), "bold"), *counts]
    if isinstance(item, SeverityGroup):
        return _group(item, pen)
    if isinstance(item, Finding):
        return [*_sign_of(item, plan, pen), *said_spans(item, pen)]
    if isinstance(item, ResourceChange):
        return _object(node, item, plan, pen)
    if isinstance(item, DriftedObject):
        return _drifted(item.drift, plan, pen)
    return _remark(item, plan, pen)


def _group(item: SeverityGroup, pen: Pen) -> list[Span]:
    if item.severity is None:
        return [Span(f"{pen.symbols.info} WAIVED", "dim"), Span(f"  {item.count}", "dim")]
    sign = severity_sign(item.severity, pen)
    return [Span(f"{sign.text} {item.severity.upper()}", item.severity), Span(f"  {item.count}", "dim")]


def _sign_of(finding: Finding, plan: Plan, pen: Pen) -> list[Span]:
    if finding.waived is not None:
        return [Span(f"{pen.symbols.info} ", "dim")]
    if covers_failure(finding, plan):
        return [Span(f"{pen.symbols.fail} WILL FAIL", "blocker"), Span("  ")]
    return [severity_sign(finding.severity, pen), Span(" ")]


def _object(node: ReviewNode, resource: ResourceChange, plan: Plan, pen: Pen) -> list[Span]:
    fields = sum(isinstance(child.item, ReviewedField) for child in node.children)
    if node.key.startswith("drift "):
        name = pen.text(str(resource.prediction.key), "bold")
        return [Span("! ", "warning"), name, Span(f"  {plural(fields, 'live change')} kept", "dim")]
    if node.key.startswith("unchanged "):
        name = pen.text(str(resource.prediction.key), "dim")
        return [Span("= ", "dim"), name, *_why_not_told(resource)]
    spans = object_head(resource, plan, pen)
    if node.key.startswith("hook "):
        spans.append(pen.text(f" {pen.symbols.dot} {', '.join(resource.hook_events)}", "dim"))
    if fields:
        spans.append(Span(f" {pen.symbols.dot} {plural(fields, 'field')}", "dim"))
    return spans


def _why_not_told(resource: ResourceChange) -> list[Span]:
    return [Span(f"  {noise_words(resource)}", "dim")] if is_noise(resource) else []


def _drifted(item: ObjectDrift, plan: Plan, pen: Pen) -> list[Span]:
    """The object, and by which kinds of drift."""
    key = item.resource.prediction.key
    gone = item.missing or item.not_served or item.deleting_since
    failing = item.conflicts or item.not_served or item.will_fail
    sign = (
        Span(pen.symbols.fail, "bad") if failing else Span("-" if gone else "~", "bad" if gone else "warning")
    )
    spans = [sign, Span(" "), pen.text(str(key), "bold")]
    if key.namespace is not None and key.namespace != plan.release.namespace:
        spans.append(pen.text(f" in {key.namespace}"))
    words: list[Span] = []
    if item.missing:
        words.append(Span("missing", "bad"))
    if item.deleting_since:
        words.append(pen.text(f"being deleted since {moment(item.deleting_since)}", "bad"))
    if item.not_served:
        words.append(Span("kind no longer served", "bad"))
    counted = (
        (len(item.conflicts), "in conflict", "bad"),
        (len(item.reverted), "set back by the next upgrade", "warning"),
        (len(item.kept), "kept by the next upgrade", "warning"),
        (len(item.latent), "with another owner, equal now", "info"),
        (len(item.marks), "of Helm's marks", "warning"),
    )
    words += [Span(f"{count} {what}", style) for count, what, style in counted if count]  # type: ignore[arg-type]
    if item.reverted and restarts_pods(item.resource):
        words.append(Span("setting it back restarts pods", "warning"))
    if item.will_fail:
        words.append(pen.prose(item.will_fail))
    return [*spans, Span("  "), *dotted(words, pen)]


def _remark(item: object, plan: Plan, pen: Pen) -> list[Span]:
    if isinstance(item, Failure):
        where = str(item.resource) if item.resource else plan.release.name
        return [
            Span(f"{pen.symbols.fail} WILL FAIL", "blocker"),
            Span("  "),
            pen.text(where, "bold"),
            Span("  "),
            pen.prose(item.message),
        ]
    if isinstance(item, ValueWarning):
        style_sign = (
            Span("= ", "dim") if item.kind == "override dropped without effect" else Span("! ", "warning")
        )
        return [style_sign, *path_line(item.path, pen), Span("  "), pen.text(item.message)]
    if isinstance(item, ReviewedHook):
        run = item.run
        return [Span("* ", "info"), pen.text(f"{run.event}: "), pen.text(hook_text([run]))]
    if isinstance(item, LeftOver):
        origin = f"revision {item.revision} ({item.status})" if item.revision else "no stored revision"
        kept = ", kept on purpose" if item.kept else ""
        sign = Span("= ", "dim") if item.kept else Span("+ ", "warning")
        text = f"left over, of {origin}, created {moment(item.created)}{kept}"
        return [sign, pen.text(str(item.key), "bold"), Span("  "), pen.prose(text, "dim")]
    if isinstance(item, Unknown):
        return [Span("? ", "warning"), pen.text(item.what, "bold"), Span("  "), pen.prose(item.why)]
    assert isinstance(item, Counted)
    return [Span(f"{pen.symbols.ellipsis} {item.text}", "dim")]


def search_text(node: ReviewNode, pen: Pen) -> str:
    """What a search looks in, casefolded: names, paths, titles; no values: none is found by guessing."""
    item = node.item
    if isinstance(item, ReviewedField):
        text = f"{pen.masker.path(item.change.path)} {item.change.cause} {item.change.manager}"
    elif isinstance(item, ValueChange):
        text = f"{pen.masker.path(item.path)} {item.cause}"
    elif isinstance(item, ValueWarning):
        text = f"{pen.masker.path(item.path)} {item.message}"
    elif isinstance(item, Finding):
        text = f"{item.severity} {item.rule} {item.where.name} {item.where.field} {item.title}"
    elif isinstance(item, ResourceChange):
        text = f"{item.prediction.key} {item.action}"
    elif isinstance(item, DriftedObject):
        text = str(item.resource.prediction.key)
    elif isinstance(item, ReviewedHook):
        text = f"{item.run.event} {item.run.kind}/{item.run.name}"
    elif isinstance(item, LeftOver):
        text = str(item.key)
    elif isinstance(item, Unknown):
        text = f"{item.what} {item.why}"
    elif isinstance(item, Section):
        text = item.title
    else:
        return ""
    return without_digest(pen.masker.text(text)).casefold()
