"""For terminals that show nothing but ASCII: what Textual draws, in ASCII."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from helmguard.report.display_width import display_width

_SIGNS = {
    "●": "*",
    "•": "*",
    "○": "o",
    "✓": "+",
    "✗": "x",
    "×": "x",
    "▲": "^",
    "▼": "v",
    "▶": ">",
    "◀": "<",
    "→": ">",
    "←": "<",
    "↑": "^",
    "↓": "v",
    "…": ".",
    "·": ".",
    "—": "-",
    "–": "-",
    "▐": "[",
    "▌": "]",
    "■": "#",
}
"""Single cells of widgets; the reports write ASCII by themselves."""


class AsciiOnly(LineFilter):
    """The last net: no line that is drawn holds anything else, whichever widget it comes from.

    Each character is replaced by as many cells as it takes. Lines of boxes stay lines, blocks become blanks
    where they are drawn for their colour, and letters a question mark.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        """The same segments in ASCII."""
        return [
            segment if segment.text.isascii() else Segment(to_ascii(segment.text), *segment[1:])
            for segment in segments
        ]


def to_ascii(text: str) -> str:
    """The text in as many cells."""
    return "".join(character if character.isascii() else _ascii(character) for character in text)


@lru_cache(maxsize=4096)
def _ascii(character: str) -> str:
    code = ord(character)
    if character in _SIGNS:
        return _SIGNS[character]
    if 0x2500 <= code < 0x2580:
        return _box(unicodedata.name(character, ""))
    if 0x2580 <= code < 0x25A0:
        return " "
    return "?" * display_width(character)


def _box(name: str) -> str:
    """A piece of a box: a line is one, everything else a corner."""
    if "VERTICAL" in name and "HORIZONTAL" not in name and not ("RIGHT" in name or "LEFT" in name):
        return "|"
    if "HORIZONTAL" in name and "VERTICAL" not in name and not ("DOWN" in name or "UP" in name):
        return "-"
    return "+"
