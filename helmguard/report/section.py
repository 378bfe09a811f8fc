"""Headings of the page's sections."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.report.page import Pen
from helmguard.report.styles import Span, Style

HEADING_WIDTH = 9


def counts_line(name: str, counts: Sequence[tuple[str, Style]], pen: Pen) -> list[Span]:
    """``Values   1 override lost · 1 set by you``."""
    return [Span(f"{name} ".ljust(HEADING_WIDTH), "bold"), *dotted([Span(*count) for count in counts], pen)]


def dotted(parts: Sequence[Span], pen: Pen) -> list[Span]:
    """The parts of a line with a dot between each two."""
    spans: list[Span] = []
    for part in parts:
        spans += [Span(f" {pen.symbols.dot} ", "dim"), part] if spans else [part]
    return spans
