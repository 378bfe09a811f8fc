"""The changed fields of one object, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.bookkeeping import is_version_mark
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.weight import is_counted
from helmguard.masking.secret_marks import without_digest
from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.plan import Plan, ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.report.layout import columns
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.remark import NEEDS_EYES, remark
from helmguard.report.styles import Line, Span, Style

_INDENT = 6
_SHOWN = 25
_MANY = 4
_STYLES: dict[str, Style] = {"lost override": "bad", "conflict": "bad", "drift reverted": "warning"}


def field_lines(resource: ResourceChange, plan: Plan, pen: Pen) -> Iterator[Line]:
    """The fields worth a look, those that need eyes first; the others are counted."""
    changes = [change for change in resource.changes if pen.page.show_noise or is_counted(change)]
    if not pen.page.show_noise:
        changes = _without_said_restarts(changes)
    changes.sort(key=lambda change: change.cause not in NEEDS_EYES)
    shown = changes if pen.page.show_noise else changes[:_SHOWN]
    yield from changes_as_lines(resource.prediction.key, shown, plan, pen)
    more = len(changes) - len(shown)
    counted = set(map(id, changes))
    hidden = [change for change in resource.changes if id(change) not in counted]
    notes = [f"{pen.symbols.ellipsis} {more} more fields (-C 3 shows the YAML)"] if more else []
    if hidden and resource.action not in ("unchanged", "fail"):
        notes.append(_hidden_text(hidden))
    for note in notes:
        yield (Span(" " * _INDENT + note, "dim"),)


def _without_said_restarts(changes: list[FieldChange]) -> list[FieldChange]:
    """Version labels inside a pod template only where nothing else in it restarts the pods."""
    marks = [change for change in changes if is_version_mark(change.path) and "template" in change.path]
    others = [change for change in changes if change not in marks]
    return others if any("template" in change.path for change in others) else changes


def changes_as_lines(key: ResourceKey, changes: list[FieldChange], plan: Plan, pen: Pen) -> Iterator[Line]:
    """Aligned rows; the changed lines of texts of several lines below theirs."""
    rows = [field_row(key, change, plan, pen) for change in changes]
    same = _same_remark(rows)
    if same is not None:
        yield (Span(" " * _INDENT), Span(f"all: {same}", "dim"))
        rows = [row[:-1] for row in rows]
    texts = [text_lines(key, change, pen) for change in changes]
    if not any(texts):
        yield from columns(rows, pen.page.columns, _INDENT)
        return
    for row, lines in zip(rows, texts, strict=True):
        yield from columns([row], pen.page.columns, _INDENT)
        for span in lines:
            yield (Span(" " * (_INDENT + 4)), span)


def field_row(key: ResourceKey, change: FieldChange, plan: Plan, pen: Pen) -> list[Line]:
    """Sign, path, values, and the cause in words; a text of several lines has its changes in `text_lines`."""
    path = Span(pen.escape(without_digest(pen.masker.path(change.path))))
    why = pen.text(remark(change, plan), _STYLES.get(change.cause, ""))
    value = [] if text_lines(key, change, pen) else field_value(key, change, pen)
    return [(_sign(change),), (path,), tuple(value), (why,)]


def _same_remark(rows: list[list[Line]]) -> str | None:
    """The remark that all rows have, where there are many of them: it is said once."""
    remarks = {"".join(span.text for span in row[-1]) for row in rows}
    return remarks.pop() if len(rows) >= _MANY and len(remarks) == 1 else None


def field_value(key: ResourceKey, change: FieldChange, pen: Pen) -> list[Span]:
    """``before → after``; ``7, chart says 3`` where the live value stays and is not the chart's."""
    before, after = pen.masker.field_change(key, change)
    if same_tree(change.before, change.after):
        wanted = pen.masker.field(key, change.path, change.new)
        live = pen.values.value(before)
        if same_tree(change.before, change.new):
            return [Span(live)]
        says = "not in the chart" if wanted is MISSING else f"chart says {pen.values.value(wanted)}"
        return [Span(live), Span(f", {says}")]
    return pen.change(before, after)


def text_lines(key: ResourceKey, change: FieldChange, pen: Pen) -> list[Span]:
    """The changed lines of a text of several lines; empty for other values."""
    before, after = pen.masker.field_change(key, change)
    if same_tree(change.before, change.after):
        before = pen.masker.field(key, change.path, change.new)
    return pen.values.line_changes(before, after)


def _sign(change: FieldChange) -> Span:
    if change.cause in NEEDS_EYES or (change.cause == "server" and change.note):
        return Span("!", _STYLES.get(change.cause, "warning"))
    if change.before is MISSING:
        return Span("+", "create")
    if change.after is MISSING:
        return Span("-", "delete")
    return Span("~", "update")


def _hidden_text(hidden: list[FieldChange]) -> str:
    if all(is_version_mark(change.path) for change in hidden):
        return f"and {plural(len(hidden), 'version label')}"
    return f"and {plural(len(hidden), 'field')} of no weight (--show-noise)"
