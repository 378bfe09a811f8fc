"""The reports' lines on the screen: their styles by the theme's own colours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip

from helmguard.report.styles import Line, Style

if TYPE_CHECKING:
    from textual.widget import Widget

_COLOURS: dict[Style, str] = {
    "bold": "bold",
    "dim": "dim",
    "blocker": "bold $text on $error",
    "danger": "bold $text-error",
    "warning": "$text-warning",
    "info": "$text-primary",
    "create": "$text-success",
    "update": "$text-warning",
    "delete": "$text-error",
    "replace": "$text-secondary",
    "good": "bold $text-success",
    "bad": "bold $text-error",
}
"""For texts that Textual lays out itself."""

SPAN_CLASSES = frozenset(f"span--{style}" for style in _COLOURS)
"""Component classes that a widget with lines of its own declares, with `SPAN_CSS` for its styles."""


def span_css(widget: str) -> str:
    """The style sheet of these classes inside ``widget``."""
    return "\n".join(_rule(widget, style, words.split()) for style, words in _COLOURS.items())


def _rule(widget: str, style: Style, words: list[str]) -> str:
    rules = []
    if words[0] in ("bold", "dim"):
        rules.append(f"text-style: {words[0]};")
        words = words[1:]
    if words:
        rules.append(f"color: {words[0]};")
    if words[1:2] == ["on"]:
        rules.append(f"background: {words[2]};")
    return f"{widget} > .span--{style} {{ {' '.join(rules)} }}"


def content(lines: Iterable[Line]) -> Content:
    """The lines as one text for a `Static`."""
    parts: list[str | tuple[str, str]] = []
    for index, spans in enumerate(lines):
        if index:
            parts.append("\n")
        parts += [(span.text, _COLOURS[span.style]) if span.style else span.text for span in spans]
    return Content.assemble(*parts)


def strip_of(spans: Line, widget: Widget) -> Strip:
    """One line for a widget that has `SPAN_CLASSES`."""
    return Strip(
        Segment(
            span.text,
            widget.get_component_rich_style(f"span--{span.style}", partial=True) if span.style else None,
        )
        for span in spans
        if span.text
    )
