"""Lines cut to a width, for lists with one line an item."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.report.display_width import display_width, split_at
from helmguard.report.page import Pen
from helmguard.report.styles import Line, Span, width_of


def cut_line(spans: Sequence[Span], width: int, pen: Pen) -> Line:
    """The spans, the rest as an ellipsis where they are wider than ``width`` columns."""
    if width_of(spans) <= width:
        return tuple(spans)
    ellipsis = pen.symbols.ellipsis
    room = width - display_width(ellipsis)
    if room < 1:
        return (Span(ellipsis[: max(0, width)], "dim"),)
    kept: list[Span] = []
    for span in spans:
        size = display_width(span.text)
        if size > room:
            head, _ = split_at(span.text, room) if room > 0 else ("", "")
            kept.append(Span(head, span.style))
            break
        kept.append(span)
        room -= size
    return (*kept, Span(ellipsis, "dim"))
