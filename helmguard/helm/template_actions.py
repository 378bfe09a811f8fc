"""The actions of a Go template, ``{{ ... }}``, as tokens: enough to see what it uses, without running it.

Lenient: text that Go would refuse gives some tokens, never an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

TokenKind = Literal["string", "field", "variable", "word", "mark"]

_TOKEN = re.compile(
    r"""
    (?P<string> "(?:[^"\\\n]|\\.)*" | `[^`]*` | '(?:[^'\\\n]|\\.)*' )
  | (?P<variable> \$\w*(?:\.\w+)* )
  | (?P<field> (?:\.[^\W\d]\w*)+ | \.(?!\d) )
  | (?P<number> [-+]?\.?\d[\w.]* )
  | (?P<word> [^\W\d]\w* )
  | (?P<mark> := | \|\| | [=|(),] )
    """,
    re.VERBOSE,
)
_ACTION = re.compile(
    r"""\{\{ ( (?: [^"`'}] | "(?:[^"\\\n]|\\.)*" | `[^`]*` | '(?:[^'\\\n]|\\.)*' | \}(?!\}) )*+ ) \}\}""",
    re.VERBOSE,
)
_COMMENT = re.compile(r"\{\{(?:-\s)?\s*/\*.*?\*/\s*(?:\s-)?\}\}", re.DOTALL)


class Token(NamedTuple):
    """One token. A ``field`` is ``.Values.a`` or the bare dot, a ``variable`` is ``$`` or ``$x.Values.a``."""

    kind: TokenKind
    text: str

    @property
    def literal(self) -> str:
        """The content of a string token, escapes of quotes undone."""
        inner = self.text[1:-1]
        return inner if self.text[0] == "`" else inner.replace('\\"', '"').replace("\\\\", "\\")


Action = tuple[Token, ...]


def replace_word(template: str, word: str, replacement: str) -> str:
    """The template with a function's name replaced wherever an action calls it."""

    def in_token(match: re.Match[str]) -> str:
        return replacement if match.lastgroup == "word" and match[0] == word else match[0]

    def in_action(match: re.Match[str]) -> str:
        return f"{{{{{_TOKEN.sub(in_token, match[1])}}}}}"

    return _ACTION.sub(in_action, template)


def actions(template: str) -> Iterator[Action]:
    """The actions of a template in order, comments left out; one that does not end is no action."""
    text = _COMMENT.sub("", template) if "/*" in template else template
    for action in _ACTION.finditer(text):
        tokens = _tokens(action[1])
        if tokens:
            yield tokens


@lru_cache(maxsize=4096)
def _tokens(action: str) -> Action:
    """The templates of a chart repeat most of their actions."""
    return tuple(
        Token(match.lastgroup, match[0])  # type: ignore[arg-type]  # the pattern's groups are the kinds
        for match in _TOKEN.finditer(action)
        if match.lastgroup != "number"
    )
