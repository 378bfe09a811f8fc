"""How the values change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.compare.differences import Difference, differences
from helmguard.masking.secret_marks import without_digest
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.plan import Plan
from helmguard.model.value_change import ValueChange, ValueWarning
from helmguard.report.counts_text import value_counts
from helmguard.report.layout import columns, wrapped
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.provenance_text import cause_text
from helmguard.report.section import counts_line
from helmguard.report.styles import EMPTY, Line, Span, Style

_DEFAULTS_SHOWN = 12
_ITEMS_SHOWN = 6


def values(plan: Plan, pen: Pen) -> Iterator[Line]:
    """The changed leaves, lost overrides first; nothing where no value changes and nothing is to be said."""
    changes = ranked_changes(plan)
    dropped = dropped_overrides(plan)
    unsaid = unsaid_warnings(plan)
    warnings = [warning for warning in unsaid if pen.page.show_noise or not warning.is_idle]
    if not changes and not unsaid and not dropped:
        return
    yield from wrapped(counts_line("Values", value_counts(plan), pen), pen.page.text_width, 9)
    shown, hidden = shortened(changes, pen.page.show_noise)
    yield from columns([row for change in shown for row in change_rows(change, pen)], pen.page.columns, 2)
    if hidden:
        text = f"  {pen.symbols.ellipsis} {hidden} more changed chart defaults (--show-noise lists them)"
        yield (Span(text, "dim"),)
    for warning in warnings:
        spans = [Span("  ! ", "warning"), pen.text(format_path(warning.path), "bold"), Span("  ")]
        yield from wrapped([*spans, pen.text(warning.message)], pen.page.columns, 6)
    if len(warnings) < len(unsaid):
        count = plural(len(unsaid) - len(warnings), "new default")
        text = f"  {pen.symbols.ellipsis} {count} of an empty value not taken (--show-noise lists them)"
        yield (Span(text, "dim"),)
    if pen.page.show_noise:
        for warning in dropped:
            spans = [
                Span("  = "),
                *path_line(warning.path, pen),
                Span("  "),
                pen.text(warning.message, "dim"),
            ]
            yield from wrapped(spans, pen.page.columns, 6)
    yield EMPTY


def ranked_changes(plan: Plan) -> list[ValueChange]:
    """Lost overrides first."""
    return sorted(plan.values.changes, key=lambda change: (_RANKS[change.cause], _weight(change)))


def dropped_overrides(plan: Plan) -> list[ValueWarning]:
    """The user's values that go and equal the default."""
    return [warning for warning in plan.values.warnings if warning.kind == "override dropped without effect"]


_RANKS = {"lost override": 0, "values": 1, "chart": 2, "default": 3}


def _weight(change: ValueChange) -> int:
    """Of changed defaults those first that were there before, those last that bring nothing."""
    if change.cause != "default" or MISSING not in (change.before, change.after):
        return 0
    if change.after is MISSING:
        return 1
    return 3 if change.after in (None, "", [], {}) else 2


def change_rows(change: ValueChange, pen: Pen) -> list[list[Line]]:
    """A row for the change; of a list that becomes another list, a row for each item too."""
    style: Style = "bad" if change.cause == "lost override" else ""
    cause = pen.text(cause_text(change), style)
    parts = _item_changes(change)
    if parts:
        before, after = plural(len(change.before), "item"), plural(len(change.after), "item")
        lengths = Span(f"{before} {pen.symbols.arrow} {after}")
        rows: list[list[Line]] = [[(value_sign(change),), path_line(change.path, pen), (lengths,), (cause,)]]
        rows += [_item_row(change, part, pen) for part in parts[:_ITEMS_SHOWN]]
        if len(parts) > _ITEMS_SHOWN:
            more = f"  {pen.symbols.ellipsis} {len(parts) - _ITEMS_SHOWN} more"
            rows.append([(Span(" "),), (Span(more, "dim"),)])
        return rows
    sides = pen.change(*pen.masker.value_change(change))
    return [[(value_sign(change),), path_line(change.path, pen), tuple(sides), (cause,)]]


def _item_changes(change: ValueChange) -> list[Difference]:
    if not isinstance(change.before, list) or not isinstance(change.after, list):
        return []
    return [part for part in differences(change.before, change.after) if not part.order_only]


def _item_row(change: ValueChange, part: Difference, pen: Pen) -> list[Line]:
    path = (*change.path, *part.path)
    before, after = pen.masker.value(path, part.before), pen.masker.value(path, part.after)
    sign = value_sign(ValueChange(path, part.before, part.after, "values"))
    return [(sign,), (Span("  "), *path_line(path, pen)), tuple(pen.change(before, after))]


def path_line(path: FieldPath, pen: Pen) -> Line:
    """The path, masked."""
    return (Span(pen.escape(without_digest(pen.masker.path(path)))),)


def value_sign(change: ValueChange) -> Span:
    """The sign of a value change; lost overrides need eyes."""
    if change.cause == "lost override":
        return Span("!", "bad")
    if change.before is MISSING:
        return Span("+", "create")
    if change.after is MISSING:
        return Span("-", "delete")
    return Span("~", "update")


def shortened(changes: Sequence[ValueChange], show_noise: bool) -> tuple[list[ValueChange], int]:
    """Without most of the changed defaults where there are many, and how many those are."""
    defaults = [change for change in changes if change.cause == "default"]
    if show_noise or len(defaults) <= _DEFAULTS_SHOWN:
        return list(changes), 0
    hidden = set(map(id, defaults[_DEFAULTS_SHOWN:]))
    return [change for change in changes if id(change) not in hidden], len(hidden)


def unsaid_warnings(plan: Plan) -> list[ValueWarning]:
    """The warnings that no finding speaks of."""
    said = {finding.where.name for finding in plan.findings if finding.where.on == "value"}
    return [
        warning
        for warning in plan.values.warnings
        if warning.kind != "override dropped without effect" and format_path(warning.path) not in said
    ]
