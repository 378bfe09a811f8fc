"""A template's text and actions, and the words inside an action."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from helmguard.gitops.argo.go_template.template_error import TemplateError

_ACTION = re.compile(
    r"\{\{(?P<left>-(?=\s))?"
    r"(?:(?P<comment>\s*/\*.*?\*/\s*?)|(?P<inside>(?:\"(?:\\.|[^\"\\\n])*\"|`[^`]*`|(?!\}\}).)*?))"
    r"(?P<right>(?<=\s)-)?\}\}",
    re.DOTALL,
)
_WORD = re.compile(
    r"(?P<space>\s*)(?:"
    r"(?P<string>\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<raw>`[^`]*`)"
    r"|(?P<number>[-+]?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.]))"
    r"|(?P<variable>\$\w*)"
    r"|(?P<field>\.[A-Za-z_]\w*)"
    r"|(?P<dot>\.)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>:=|=|\||\(|\)|,)"
    r")"
)


class Piece(msgspec.Struct, frozen=True):
    """Text, or an action's inside."""

    text: str
    is_action: bool


class Word(msgspec.Struct, frozen=True):
    """A word of an action. ``spaced``: white space stands before it."""

    kind: str
    text: str
    spaced: bool


def pieces(template: str) -> list[Piece]:
    """The template's parts, ``{{-`` and ``-}}`` already done, comments gone.

    Raises:
        TemplateError: an action has no end.
    """
    found: list[Piece] = []
    position, trims = 0, False
    while position <= len(template):
        start = template.find("{{", position)
        text = template[position : start if start >= 0 else len(template)]
        text = text.lstrip(" \t\r\n") if trims else text
        action = _ACTION.match(template, start) if start >= 0 else None
        if start >= 0 and action is None:
            raise TemplateError(f"an action has no end: {template[start : start + 40]}")
        if action is not None and action["left"]:
            text = text.rstrip(" \t\r\n")
        if text:
            found.append(Piece(text, False))
        if action is None:
            break
        if action["comment"] is None:
            found.append(Piece(action["inside"].strip(), True))
        trims = action["right"] is not None
        position = action.end()
    return found


def words(action: str) -> Iterator[Word]:
    """The words of an action.

    Raises:
        TemplateError: it holds what no word is.
    """
    position = 0
    while position < len(action):
        match = _WORD.match(action, position)
        if match is None:
            raise TemplateError(f"not understood: {{{{ {action} }}}}")
        assert match.lastgroup is not None
        yield Word(match.lastgroup, match[match.lastgroup], bool(match["space"]))
        position = match.end()
