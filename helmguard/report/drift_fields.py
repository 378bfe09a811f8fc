"""The fields that are adrift on one object, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.compare.equal_trees import same_tree
from helmguard.masking.secret_marks import is_masked, without_digest
from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.resource_key import ResourceKey
from helmguard.report.layout import columns
from helmguard.report.page import Pen
from helmguard.report.styles import Line, Span, Style

_INDENT = 6
_SHOWN = 25
_STYLES: dict[str, Style] = {"conflict": "bad", "latent owner": "dim"}


def drift_fields(key: ResourceKey, changes: Sequence[FieldChange], pen: Pen) -> Iterator[Line]:
    """``! spec.replicas  7, release says 3  kubectl (scale), 2026-11-30 06:22``."""
    shown = changes if pen.page.show_noise else changes[:_SHOWN]
    rows = [_row(key, change, pen) for change in shown]
    texts = [_text_lines(key, change, pen) for change in shown]
    if not any(texts):
        yield from columns(rows, pen.page.columns, _INDENT)
    else:
        for row, lines in zip(rows, texts, strict=True):
            yield from columns([row], pen.page.columns, _INDENT)
            yield from ((Span(" " * (_INDENT + 4)), span) for span in lines)
    more = len(changes) - len(shown)
    if more:
        yield (Span(f"{' ' * _INDENT}{pen.symbols.ellipsis} {more} more fields (--show-noise)", "dim"),)


def _row(key: ResourceKey, change: FieldChange, pen: Pen) -> list[Line]:
    path = Span(pen.escape(without_digest(pen.masker.path(change.path))))
    value = [] if _text_lines(key, change, pen) else drift_value(key, change, pen)
    return [(_sign(change),), (path,), tuple(value), (pen.text(who_and_when(change), "dim"),)]


def drift_value(key: ResourceKey, change: FieldChange, pen: Pen) -> list[Span]:
    """``7 → 3`` where Helm sets it back, ``7, release says 3`` where it does not, ``3`` where they agree."""
    before, after = pen.masker.field_change(key, change)
    if change.cause == "drift reverted":
        return pen.change(before, after)
    live = "not there" if before is MISSING else pen.values.value(before)
    if change.new is MISSING or same_tree(change.before, change.new):
        return [Span(live)]
    wanted = pen.masker.field(key, change.path, change.new)
    if is_masked(before) and is_masked(wanted):
        return [Span("(secret, not the release's)")]
    return [Span(live), Span(f", release says {pen.values.value(wanted)}")]


def who_and_when(change: FieldChange) -> str:
    """``kubectl (scale), 2026-11-30 06:22 UTC``, and what is said about it beyond that."""
    note = "" if change.note.startswith("changed ") else change.note
    return ", ".join(part for part in (change.manager, moment(change.since), note) if part)


def moment(time: str) -> str:
    """The minute of a time as the API or Helm writes it: the age of a change changes with each look."""
    date, letter, rest = time.partition("T")
    if not letter or len(rest) < 5:
        return time
    zone = "UTC" if rest.endswith("Z") else (rest[-6:] if rest[-6:-5] in "+-" else "")
    return f"{date} {rest[:5]} {zone}".strip()


def _text_lines(key: ResourceKey, change: FieldChange, pen: Pen) -> list[Span]:
    """For a text of several lines, how the live one becomes the release's."""
    before, after = pen.masker.field_change(key, change)
    if same_tree(change.before, change.after):
        if change.new is MISSING:
            return []
        after = pen.masker.field(key, change.path, change.new)
    return pen.values.line_changes(before, after)


def _sign(change: FieldChange) -> Span:
    style = _STYLES.get(change.cause, "warning")
    if change.cause == "latent owner":
        return Span("=", style)
    if change.new is MISSING and change.cause != "conflict":
        return Span("+", style)
    return Span("-" if change.before is MISSING else "!", style)
