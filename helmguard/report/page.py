"""How the reader wants the page."""

from __future__ import annotations

import msgspec

from helmguard.masking.masker import Masker
from helmguard.masking.secret_marks import without_digest
from helmguard.model.json_value import JSONValue
from helmguard.report.escaping import escape_line
from helmguard.report.styles import Span, Style
from helmguard.report.symbols import ASCII, UNICODE, Symbols
from helmguard.report.value_text import ValueWriter

_NARROWEST = 40
_WIDEST_TEXT = 120
"""Longer lines of prose are hard to read, however wide the terminal is."""


class Page(msgspec.Struct, frozen=True):
    """``width`` in columns. ``context``: lines of YAML around each change, None for no YAML. ``unicode``: the
    terminal can show more than ASCII. ``show_noise`` shows what is otherwise only counted. ``debug`` shows
    what was predicted beside what the API server would store."""

    width: int = 100
    colour: bool = False
    unicode: bool = True
    context: int | None = None
    show_noise: bool = False
    debug: bool = False

    @property
    def symbols(self) -> Symbols:
        """The signs that the terminal can show."""
        return UNICODE if self.unicode else ASCII

    @property
    def text_width(self) -> int:
        """The width for prose."""
        return min(self.columns, _WIDEST_TEXT)

    @property
    def columns(self) -> int:
        """The width, at least 40."""
        return max(self.width, _NARROWEST)


class Pen(msgspec.Struct, frozen=True):
    """Makes safe spans of what comes from charts and clusters: masked, then escaped."""

    page: Page
    masker: Masker

    @property
    def symbols(self) -> Symbols:
        """The signs that the terminal can show."""
        return self.page.symbols

    @property
    def values(self) -> ValueWriter:
        """Writes values that are masked already."""
        room = max(24, min(48, (self.page.columns - 24) // 2))
        return ValueWriter(self.symbols, not self.page.unicode, room, self.page.text_width - 12)

    def text(self, text: str, style: Style = "") -> Span:
        """Text on one line."""
        return Span(self.escape(without_digest(self.masker.text(text))), style)

    def prose(self, text: str, style: Style = "") -> Span:
        """Text that may have line breaks and indents of its own, as Helm's errors do: wrapped anew.

        Masked before that, since a secret may hold such blanks.
        """
        return Span(self.escape(" ".join(without_digest(self.masker.text(text)).split())), style)

    def command(self, command: str, style: Style = "") -> Span:
        """A command to paste."""
        return Span(self.escape(without_digest(self.masker.command(command))), style)

    def escape(self, text: str) -> str:
        """Masked text, safe to print on one line."""
        return escape_line(text, ascii_only=not self.page.unicode)

    def change(self, before: JSONValue, after: JSONValue) -> list[Span]:
        """Two masked values."""
        return self.values.change(before, after)
