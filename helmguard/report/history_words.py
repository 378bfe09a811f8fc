"""What changed from one revision to the next, on one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from helmguard.model.revision_changes import HistoryEntry, ObjectChange, ObjectChangeKind, RevisionChanges
from helmguard.model.value_change import ValueChange
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.styles import Span, Style

_VALUES_SHOWN = 3
_OBJECTS_SHOWN = 4
_SIGNS: dict[ObjectChangeKind, tuple[str, Style]] = {
    "added": ("+", "create"),
    "changed": ("~", "update"),
    "removed": ("-", "delete"),
}


def change_words(entry: HistoryEntry, pen: Pen) -> list[Span]:
    """``values 2: ! a 1 → unset, b 1 → 2 · chart web 1 → 2 · objects +1 ~2: + ConfigMap/x``."""
    changes = entry.changes
    if changes is None:
        counts = [plural(entry.objects, "object")]
        if entry.values:
            counts.append(f"{plural(entry.values, 'value')} set")
        return [pen.text(f"the first that is stored: {', '.join(counts)}", "dim")]
    parts = [part for part in _parts(changes, pen) if part]
    spans: list[Span] = []
    if changes.compared_with != entry.version - 1:
        spans.append(pen.text(f"from revision {changes.compared_with}: ", "dim"))
    if not parts:
        return [*spans, Span("nothing changed", "dim")]
    for index, part in enumerate(parts):
        spans += [Span(f" {pen.symbols.dot} ", "dim")] if index else []
        spans += part
    return spans


def _parts(changes: RevisionChanges, pen: Pen) -> Iterator[list[Span]]:
    yield _values(changes, pen)
    if changes.chart is not None:
        yield [pen.text(f"chart {changes.chart[0]} {pen.symbols.arrow} {changes.chart[1]}")]
    if changes.app_version is not None:
        before, after = (text or "none" for text in changes.app_version)
        yield [pen.text(f"app {before} {pen.symbols.arrow} {after}")]
    yield _objects("objects", changes.objects, pen)
    yield _objects("hooks", changes.hooks, pen)
    if changes.unread:
        yield [pen.prose(f"objects not compared: {changes.unread}", "warning")]


def _values(changes: RevisionChanges, pen: Pen) -> list[Span]:
    if not changes.values:
        count = plural(len(changes.idle), "value")
        return [pen.text(f"{count} set or unset to the same effect", "dim")] if changes.idle else []
    shown = changes.values if pen.page.show_noise else changes.values[:_VALUES_SHOWN]
    spans = [Span(f"values {len(changes.values)}: ")]
    for index, change in enumerate(shown):
        spans += [Span(", ")] if index else []
        spans += _value(change, pen)
    if len(shown) < len(changes.values):
        spans.append(Span(f", {len(changes.values) - len(shown)} more", "dim"))
    return spans


def _value(change: ValueChange, pen: Pen) -> list[Span]:
    before, after = pen.masker.value_change(change)
    lost = [Span("! ", "bad")] if change.cause == "lost override" else []
    path = pen.text(pen.masker.path(change.path), "bad" if lost else "")
    return [*lost, path, Span(" "), *pen.change(before, after)]


def _objects(name: str, changes: Sequence[ObjectChange], pen: Pen) -> list[Span]:
    told = [change for change in changes if not change.bookkeeping]
    versions = len(changes) - len(told)
    if not changes:
        return []
    counts = Counter(change.change for change in told)
    numbers = [Span(f"{sign}{counts[kind]}", style) for kind, (sign, style) in _SIGNS.items() if counts[kind]]
    spans: list[Span] = [Span(name)]
    for number in numbers:
        spans += [Span(" "), number]
    shown = told if pen.page.show_noise else told[:_OBJECTS_SHOWN]
    for index, change in enumerate(shown):
        sign, style = _SIGNS[change.change]
        # One piece, so that no line ends between the two.
        spans += [Span(", " if index else ": "), pen.text(f"{sign}{change.key}", style)]
    if len(shown) < len(told):
        spans.append(Span(f", {len(told) - len(shown)} more", "dim"))
    if versions:
        only = f"{versions} in version labels alone"
        spans.append(Span(f", {only}" if told else f" {only}", "dim"))
    return spans
