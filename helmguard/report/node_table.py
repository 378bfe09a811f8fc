"""Settings in three columns: what, its value, where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from helmguard.report.layout import padded, wrapped
from helmguard.report.styles import Line, Span, width_of

SettingRow: TypeAlias = tuple[Line, Line, Line]
_GAP = Span("  ")


def setting_table(rows: Sequence[SettingRow], width: int, indent: int) -> Iterator[Line]:
    """The rows, aligned. A place that does not fit beside its value stands below it, and so does a value
    that does not fit beside its title."""
    titles = [width_of(title) for title, _, _ in rows]
    title_width = max((size for size in titles if size <= (width - indent) // 2), default=0)
    room = width - indent - title_width - 2
    places = max((width_of(place) for _, _, place in rows), default=0)
    values = [width_of(value) for _, value, _ in rows]
    value_width = max((size for size in values if size + 2 + places <= room), default=0)
    for title, value, place in rows:
        head = [Span(" " * indent), *title]
        if width_of(title) > title_width:
            yield from wrapped(head, width, indent + 2)
            head = [Span(" " * indent)]
        yield from _beside(padded(tuple(head), indent + title_width), value, place, value_width, width)


def _beside(head: Line, value: Line, place: Line, value_width: int, width: int) -> Iterator[Line]:
    column = width_of(head) + 2
    aligned = (*head, _GAP, *padded(value, value_width), *((_GAP, *place) if width_of(place) else ()))
    if width_of(aligned) <= width:
        yield aligned
        return
    yield from wrapped([*head, _GAP, *value], width, column)
    if width_of(place):
        yield from wrapped([Span(" " * column), *place], width, column)
