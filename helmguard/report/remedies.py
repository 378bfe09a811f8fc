"""What helps against a finding, under a word that says how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from helmguard.report.page import Pen
from helmguard.report.shell_lines import command_lines
from helmguard.report.styles import Line, Span

_SHOWN = 3
_REPLACES: Final = re.compile(r"(helm(guard)? (upgrade|rollback|install|uninstall)|add|leave|--\S+)\b")


def remedies(texts: Sequence[str], pen: Pen, indent: int, label_width: int) -> Iterator[Line]:
    """A line each or more; of many the first three, unless all is to be shown."""
    shown = texts if pen.page.show_noise else texts[:_SHOWN]
    said = ""
    for label, text in labelled_remedies(shown):
        command = pen.command(text).text
        yield from command_lines(
            "" if label == said else label, command, pen.page.columns, indent, label_width
        )
        said = label
    if len(shown) < len(texts):
        more = f"and {len(texts) - len(shown)} more (--show-noise shows them)"
        yield (Span(" " * (indent + label_width)), Span(more, "dim"))


def labelled_remedies(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each with its label; one that goes on from the last has that one's."""
    label = "do"
    for text in texts:
        label = remedy_label(text) or label
        yield label, text


def remedy_label(text: str) -> str:
    """``instead`` of what is to be run or given, else ``do``; empty for one that goes on from the last."""
    if text.startswith(("or ", "or, ")):
        return ""
    return "instead" if _REPLACES.match(text) else "do"
