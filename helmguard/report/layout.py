"""Lines that fit: wrapping with a hanging indent, rows in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

from helmguard.report.display_width import display_width, split_at
from helmguard.report.styles import Line, Span, width_of

Row: TypeAlias = Sequence[Line]
_GAP = Span("  ")
_LEAST_REMARK = 14
_WIDEST_VALUE = 40
"""Wider values are not aligned: one of them would tear all remarks far to the right."""
_WORDS = re.compile(r"\s+|\S+")
_BREAKS = re.compile(r"[^./,=:\]\-]*[./,=:\]\-]+|[^./,=:\]\-]+")
"""Where a word that is longer than the line may be broken: after the separators of paths and lists."""


class _Widths(msgspec.Struct, frozen=True):
    total: int
    indent: int
    sign: int
    name: int
    value: int


def wrapped(spans: Sequence[Span], width: int, hanging: int = 0) -> list[Line]:
    """The spans broken at blanks; continuation lines start with ``hanging`` blanks.

    A word that is longer than a line is broken at a separator, else anywhere. No line begins with a comma
    where the word before it can go along.
    """
    lines: list[Line] = []
    current: list[Span] = []
    used = 0
    for span in _pieces(spans, max(8, width - hanging)):
        size = display_width(span.text)
        if used + size > width and any(item.text.strip() for item in current):
            along = _before_comma(current, span, width - hanging)
            lines.append(_stripped(current[: len(current) - len(along)]))
            current = [*([Span(" " * hanging)] if hanging else []), *along]
            used = hanging + width_of(along)
            if span.text.isspace():
                continue
        current.append(span)
        used += size
    lines.append(_stripped(current))
    return lines


def _before_comma(line: Sequence[Span], span: Span, room: int) -> list[Span]:
    """The line's last word, where a comma follows it and there is another word to end the line with."""
    if not span.text.startswith(",") or not line or line[-1].text.isspace():
        return []
    fits = width_of(line[-1:]) + display_width(span.text) <= room
    return [line[-1]] if fits and any(item.text.strip() for item in line[:-1]) else []


def columns(rows: Sequence[Row], width: int, indent: int, widest_name: int = 60) -> list[Line]:
    """Rows of sign, name and further cells, aligned; empty cells at the end are left out.

    Where a row does not fit, or its name is wider than ``widest_name`` columns or half the line, its further
    cells stand on lines of their own below the name.
    """
    return [spans for lines in columns_by_row(rows, width, indent, widest_name) for spans in lines]


def columns_by_row(rows: Sequence[Row], width: int, indent: int, widest_name: int = 60) -> list[list[Line]]:
    """As `columns`, the lines of each row by themselves."""
    if not rows:
        return []
    sign_width = max(width_of(row[0]) for row in rows)
    room = width - indent - sign_width - 1
    names = [width_of(row[1]) for row in rows if len(row) > 2]
    name_width = max((size for size in names if size <= min(widest_name, room // 2)), default=0)
    values = [width_of(row[2]) for row in rows if len(row) > 3]
    widest_value = min(_WIDEST_VALUE, room - name_width - _LEAST_REMARK)
    value_width = max((size for size in values if size <= widest_value), default=0)
    widths = _Widths(width, indent, sign_width, name_width, value_width)
    return [_row(row, widths) for row in rows]


def _row(row: Row, widths: _Widths) -> list[Line]:
    sign, name, *rest = row
    head = [Span(" " * widths.indent), *padded(sign, widths.sign), Span(" ")]
    cells = [cell for cell in rest if width_of(cell)]
    deeper = widths.indent + widths.sign + 5
    if not cells:
        return wrapped([*head, *name], widths.total, deeper)
    if width_of(name) <= widths.name:
        beside = [*head, *padded(name, widths.name), _GAP, *_cells(cells, widths.value)]
        if width_of(beside) <= widths.total:
            return [tuple(beside)]
    compact = [*head, *name, _GAP, *_cells(cells, 0)]
    if width_of(compact) <= widths.total:
        return [tuple(compact)]
    below = [Span(" " * deeper), *_cells(cells, 0)]
    return [*wrapped([*head, *name], widths.total, deeper), *wrapped(below, widths.total, deeper + 2)]


def _cells(cells: Sequence[Line], first_width: int) -> list[Span]:
    first, *others = cells
    spans = list(padded(first, first_width) if others else first)
    for cell in others:
        spans += [_GAP, *cell]
    return spans


def padded(cell: Line, width: int) -> Line:
    """The cell with blanks up to ``width`` columns."""
    blanks = width - width_of(cell)
    return (*cell, Span(" " * blanks)) if blanks > 0 else cell


def _pieces(spans: Sequence[Span], longest: int) -> Iterator[Span]:
    for span in spans:
        for word in _WORDS.findall(span.text):
            if display_width(word) <= longest:
                yield Span(word, span.style)
            elif word.isspace():
                yield Span(" ", span.style)
            else:
                yield from (Span(part, span.style) for part in _parts(word, longest))


def _parts(word: str, longest: int) -> Iterator[str]:
    """A long word cut after its separators; what is still too long, anywhere."""
    for piece in _BREAKS.findall(word):
        while display_width(piece) > longest:
            head, piece = split_at(piece, longest)
            yield head
        yield piece


def _stripped(spans: list[Span]) -> Line:
    while spans and spans[-1].text.isspace():
        spans.pop()
    return tuple(spans)
