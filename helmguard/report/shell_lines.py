"""Commands broken so that they can still be pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.report.display_width import display_width
from helmguard.report.layout import wrapped
from helmguard.report.styles import Line, Span

_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+|\S+""")
"""A shell's word, quotes and the blanks in them included: a backslash at the end of a line would mean itself
there. A quote that nobody closes is a character as any other."""


def command_lines(label: str, command: str, width: int, indent: int, label_width: int) -> list[Line]:
    """The command after its label; a long one is continued by backslashes, each line below the first."""
    margin = " " * (indent + label_width)
    head = [Span(" " * indent), Span(label.ljust(label_width), "dim")]
    room = width - indent - label_width
    if display_width(command) <= room or not command.startswith(("helm", "kubectl")):
        return wrapped([*head, Span(command, "good")], width, indent + label_width)
    parts: list[str] = []
    current = ""
    for word in _units(command):
        if current and display_width(f"{current} {word} \\") > room:
            parts.append(current)
            current = f"  {word}"
        else:
            current = f"{current} {word}" if current else word
    parts.append(current)
    lines = [
        Span(part + (" \\" if index < len(parts) - 1 else ""), "good") for index, part in enumerate(parts)
    ]
    return [(*head, lines[0]), *((Span(margin), part) for part in lines[1:])]


def _units(command: str) -> Iterator[str]:
    """Words, a flag together with its value: ``--set a=1`` is not torn apart."""
    flag = ""
    for word in _WORD.findall(command):
        if flag and not word.startswith("-"):
            yield f"{flag} {word}"
            flag = ""
            continue
        if flag:
            yield flag
        flag = word if word.startswith("-") and "=" not in word else ""
        if not flag:
            yield word
    if flag:
        yield flag
