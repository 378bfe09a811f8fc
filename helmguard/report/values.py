"""How the values change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.model.field_change import MISSING
from helmguard.model.field_path import format_path
from helmguard.model.value_change import ValueChange, ValueWarning
from helmguard.plan.plan import Plan
from helmguard.report.counts_text import value_counts
from helmguard.report.layout import columns, wrapped
from helmguard.report.page import Pen
from helmguard.report.provenance_text import cause_text
from helmguard.report.secret_marks import without_digest
from helmguard.report.section import counts_line
from helmguard.report.styles import EMPTY, Line, Span, Style

_DEFAULTS_SHOWN = 12


def values(plan: Plan, pen: Pen) -> Iterator[Line]:
    """The changed leaves, lost overrides first; nothing where no value changes and nothing is to be said."""
    changes = sorted(plan.values.changes, key=lambda change: _RANKS[change.cause])
    dropped = [
        warning for warning in plan.values.warnings if warning.kind == "override dropped without effect"
    ]
    warnings = _unsaid(plan)
    if not changes and not warnings and not dropped:
        return
    yield from wrapped(counts_line("Values", value_counts(plan), pen), pen.page.text_width, 9)
    shown, hidden = _shortened(changes, pen)
    yield from columns([_row(change, pen) for change in shown], pen.page.columns, 2)
    if hidden:
        text = f"  {pen.symbols.ellipsis} {hidden} more changed chart defaults (--show-noise lists them)"
        yield (Span(text, "dim"),)
    for warning in warnings:
        spans = [Span("  ! ", "warning"), pen.text(format_path(warning.path), "bold"), Span("  ")]
        yield from wrapped([*spans, pen.text(warning.message)], pen.page.columns, 6)
    if pen.page.show_noise:
        for warning in dropped:
            yield from wrapped([Span("  = "), pen.text(warning.message, "dim")], pen.page.columns, 6)
    yield EMPTY


_RANKS = {"lost override": 0, "values": 1, "chart": 2, "default": 3}


def _row(change: ValueChange, pen: Pen) -> list[Line]:
    before, after = pen.masker.value_change(change)
    style: Style = "bad" if change.cause == "lost override" else ""
    path = Span(pen.escape(without_digest(pen.masker.path(change.path))))
    return [
        (value_sign(change),),
        (path,),
        tuple(pen.change(before, after)),
        (pen.text(cause_text(change), style),),
    ]


def value_sign(change: ValueChange) -> Span:
    """The sign of a value change; lost overrides need eyes."""
    if change.cause == "lost override":
        return Span("!", "bad")
    if change.before is MISSING:
        return Span("+", "create")
    if change.after is MISSING:
        return Span("-", "delete")
    return Span("~", "update")


def _shortened(changes: Sequence[ValueChange], pen: Pen) -> tuple[list[ValueChange], int]:
    defaults = [change for change in changes if change.cause == "default"]
    if pen.page.show_noise or len(defaults) <= _DEFAULTS_SHOWN:
        return list(changes), 0
    hidden = set(map(id, defaults[_DEFAULTS_SHOWN:]))
    return [change for change in changes if id(change) not in hidden], len(hidden)


def _unsaid(plan: Plan) -> list[ValueWarning]:
    """The warnings that no finding speaks of."""
    said = {finding.where.name for finding in plan.findings if finding.where.on == "value"}
    return [
        warning
        for warning in plan.values.warnings
        if warning.kind != "override dropped without effect" and format_path(warning.path) not in said
    ]
