"""A template's text and actions, and the words inside an action."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from helmguard.gitops.argo.go_template.template_error import TemplateError

_COMMENT = re.compile(r"\{\{(?:-\s)?\s*/\*(?:(?!\*/).)*\*/\s*?(?P<right>\s-)?\}\}", re.DOTALL)
# One way to read each character, so that no text takes long.
_INSIDE = re.compile(r"(?:[^\"`}]|\"(?:\\.|[^\"\\\n])*\"|`[^`]*`|\}(?!\}))*+")
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


_BLANK = " \t\r\n"
_BLANKS = tuple(_BLANK)


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
        text = text.lstrip(_BLANK) if trims else text
        if start < 0:
            found += [Piece(text, False)] if text else []
            break
        left_trims = template[start + 2 : start + 3] == "-" and template[start + 3 : start + 4] in _BLANKS
        text = text.rstrip(_BLANK) if left_trims else text
        if text:
            found.append(Piece(text, False))
        inside, trims, position = _action(template, start)
        if inside is not None:
            found.append(Piece(inside.removeprefix("-" if left_trims else "").strip(), True))
    return found


def _action(template: str, start: int) -> tuple[str | None, bool, int]:
    """What stands inside an action, None for a comment; whether it trims to its right; its end."""
    comment = _COMMENT.match(template, start)
    if comment is not None:
        return None, comment["right"] is not None, comment.end()
    inside = _INSIDE.match(template, start + 2)
    assert inside is not None
    end = inside.end()
    if not template.startswith("}}", end):
        raise TemplateError(f"an action has no end: {template[start : start + 40]}")
    text = inside[0]
    trims = text[-1:] == "-" and text[-2:-1] in _BLANKS
    return text[:-1] if trims else text, trims, end + 2


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
