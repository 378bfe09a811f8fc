"""Headings of the page's sections."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.report.page import Pen
from helmguard.report.styles import Span, Style

HEADING_WIDTH = 9


def counts_line(name: str, counts: Sequence[tuple[str, Style]], pen: Pen) -> list[Span]:
    """``Values   1 override lost · 1 set by you``."""
    spans = [Span(name.ljust(HEADING_WIDTH), "bold")]
    for index, (text, style) in enumerate(counts):
        spans += [Span(f" {pen.symbols.dot} ", "dim")] if index else []
        spans.append(Span(text, style))
    return spans


def plural(count: int, noun: str) -> str:
    """``1 object``, ``2 objects``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
