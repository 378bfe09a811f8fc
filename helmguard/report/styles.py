"""What a piece of text means, and its colour where colours are wanted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from helmguard.report.display_width import display_width

Style: TypeAlias = Literal[
    "",
    "bold",
    "dim",
    "blocker",
    "danger",
    "warning",
    "info",
    "create",
    "update",
    "delete",
    "replace",
    "good",
    "bad",
]

_ANSI: dict[Style, str] = {
    "bold": "1",
    "dim": "2",
    "blocker": "1;97;41",
    "danger": "1;31",
    "warning": "33",
    "info": "36",
    "create": "32",
    "update": "33",
    "delete": "31",
    "replace": "35",
    "good": "1;32",
    "bad": "1;31",
}
"""SGR parameters: the sixteen colours of every terminal's own theme, readable on dark and light."""


class Span(msgspec.Struct, frozen=True):
    """A piece of one line. ``text`` holds no control characters."""

    text: str
    style: Style = ""


Line: TypeAlias = tuple[Span, ...]

EMPTY: Line = ()


def line(*pieces: str | Span) -> Line:
    """A line of plain texts and spans."""
    return tuple(piece if isinstance(piece, Span) else Span(piece) for piece in pieces)


def width_of(spans: Iterable[Span]) -> int:
    """Columns of a line."""
    return sum(display_width(span.text) for span in spans)


def to_text(lines: Iterable[Line], *, colour: bool) -> str:
    """The lines as text without trailing blanks, each ended by a line feed."""
    return "".join(_line_text(spans, colour) + "\n" for spans in lines)


def _line_text(spans: Line, colour: bool) -> str:
    if not colour:
        return "".join(span.text for span in spans).rstrip()
    kept = list(spans)
    while kept and not kept[-1].text.strip():
        kept.pop()
    return "".join(
        f"\x1b[{_ANSI[span.style]}m{span.text}\x1b[0m" if span.style and span.text else span.text
        for span in kept
    ).rstrip()
