"""Rows of two texts as lines: in two columns, or one below the other where there is no room for two."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from helmguard.masking.secret_marks import without_digest
from helmguard.report.display_width import display_width, split_at
from helmguard.report.side_by_side import Fold, Piece, SideRow, pieces
from helmguard.report.styles import Line, Span, Style
from helmguard.report.symbols import Symbols

UNIFIED_BELOW = 100
"""With fewer columns both sides stand in one column, as in a unified diff."""
_SIGNS: dict[str, tuple[str, str]] = {
    "same": (" ", " "),
    "changed": ("~", "~"),
    "left": ("-", " "),
    "right": (" ", "+"),
}
_STYLES: tuple[Style, Style] = ("delete", "create")
_MARKED: tuple[Style, Style] = ("bad", "good")


class SideLayout(msgspec.Struct, frozen=True):
    """``width`` in columns for the whole row; ``numbers``: columns of a line number; ``offset``: columns that
    are left out at the beginning of each text; ``wraps``: texts go on below instead of being cut."""

    width: int
    numbers: int
    symbols: Symbols
    wraps: bool = False
    offset: int = 0

    @property
    def is_unified(self) -> bool:
        """Whether there is one column."""
        return self.width < UNIFIED_BELOW

    @property
    def separator(self) -> str:
        """What stands between the columns."""
        return " │ " if self.symbols.arrow == "→" else " | "

    @property
    def room(self) -> int:
        """Columns for the text of one side."""
        if self.is_unified:
            return max(8, self.width - 2 * self.numbers - 4)
        return max(8, (self.width - 3) // 2 - self.numbers - 3)


def height_of(row: SideRow, layout: SideLayout) -> int:
    """How many lines the row takes."""
    if row.kind == "head" or not (layout.wraps or layout.is_unified):
        return 1
    left, right = _height(row.left, layout), _height(row.right, layout)
    if layout.is_unified:
        return left + right if row.kind == "changed" else (right if row.kind == "right" else left)
    return max(left, right)


def _height(text: str, layout: SideLayout) -> int:
    if not layout.wraps or len(text) <= layout.room // 2:
        return 1
    return len(_wrapped_text(without_digest(text), layout.room))


def row_lines(row: SideRow, layout: SideLayout) -> list[Line]:
    """As many lines as `height_of` says."""
    if row.kind == "head":
        return [(Span(row.left, "bold"),)]
    if row.kind == "changed":
        before, after = pieces(row)
        left, right = _spans(before, 0), _spans(after, 1)
    else:
        left = [Span(without_digest(row.left), "delete" if row.kind == "left" else "")]
        right = [Span(without_digest(row.right), "create" if row.kind == "right" else "")]
    signs = _SIGNS[row.kind]
    if layout.is_unified:
        return _unified(row, left, right, layout)
    lefts = _cell(row.left_number, signs[0], left if row.left_number else [], 0, layout)
    rights = _cell(row.right_number, signs[1], right if row.right_number else [], 1, layout)
    blank = _cell(0, " ", [], 0, layout)[0]
    count = max(len(lefts), len(rights))
    lefts += [blank] * (count - len(lefts))
    rights += [blank] * (count - len(rights))
    return [(*one, Span(layout.separator, "dim"), *other) for one, other in zip(lefts, rights, strict=True)]


def fold_line(fold: Fold, symbols: Symbols) -> Line:
    """``… 120 equal lines``."""
    return (Span(f"{symbols.ellipsis} {fold.end - fold.start} equal lines", "dim"),)


def _spans(parts: Sequence[Piece], side: int) -> list[Span]:
    return [Span(text, _MARKED[side] if differs else "") for text, differs in parts]


def _unified(row: SideRow, left: list[Span], right: list[Span], layout: SideLayout) -> list[Line]:
    if row.kind == "same":
        return _one_column(row.left_number, row.right_number, " ", left, layout)
    lines: list[Line] = []
    if row.left_number:
        lines += _one_column(row.left_number, 0, "-", left, layout)
    if row.right_number:
        lines += _one_column(0, row.right_number, "+", right, layout)
    return lines


def _one_column(one: int, other: int, sign: str, spans: list[Span], layout: SideLayout) -> list[Line]:
    style: Style = {"-": _STYLES[0], "+": _STYLES[1]}.get(sign, "")
    numbers = f"{one or '':>{layout.numbers}} {other or '':>{layout.numbers}} "
    rest = Span(" " * (len(numbers) + 2))
    return [
        (rest, *text) if index else (Span(numbers, "dim"), Span(f"{sign} ", style), *text)
        for index, text in enumerate(_fitted(spans, layout))
    ]


def _cell(number: int, sign: str, spans: list[Span], side: int, layout: SideLayout) -> list[Line]:
    """One side, each line as wide as the column."""
    style: Style = "" if sign == " " else ("update" if sign == "~" else _STYLES[side])
    head = (Span(f"{number or '':>{layout.numbers}} ", "dim"), Span(f"{sign} ", style))
    rest = (Span(" " * (layout.numbers + 3)),)
    lines: list[Line] = []
    for index, text in enumerate(_fitted(spans, layout)):
        used = sum(display_width(span.text) for span in text)
        lines.append((*(rest if index else head), *text, Span(" " * (layout.room - used))))
    return lines


def _fitted(spans: list[Span], layout: SideLayout) -> list[list[Span]]:
    """Cut to the room, or broken into lines of it."""
    if layout.wraps:
        return _wrapped(spans, layout.room)
    spans = _without_start(spans, layout.offset)
    if sum(display_width(span.text) for span in spans) <= layout.room:
        return [spans]
    mark = layout.symbols.ellipsis
    return [[*_wrapped(spans, layout.room - len(mark))[0], Span(mark, "dim")]]


def _without_start(spans: list[Span], columns: int) -> list[Span]:
    rest: list[Span] = []
    for span in spans:
        size = display_width(span.text)
        if columns >= size:
            columns -= size
            continue
        rest.append(Span(split_at(span.text, columns)[1], span.style) if columns else span)
        columns = 0
    return rest


def _wrapped(spans: list[Span], room: int) -> list[list[Span]]:
    lines: list[list[Span]] = [[]]
    used = 0
    for span in spans:
        text = span.text
        while text:
            if used >= room or (used and used + display_width(text[0]) > room):
                lines.append([])
                used = 0
            head, text = split_at(text, room - used)
            lines[-1].append(Span(head, span.style))
            used += display_width(head)
    return lines


def _wrapped_text(text: str, room: int) -> list[list[Span]]:
    return _wrapped([Span(text)], room)
