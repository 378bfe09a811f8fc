"""The parts of a parsed template."""

from __future__ import annotations

from typing import Any

import msgspec


class Literal(msgspec.Struct, frozen=True, gc=False):
    """A constant."""

    value: Any


class Dot(msgspec.Struct, frozen=True):
    """``.``"""


class Variable(msgspec.Struct, frozen=True):
    """``$name``, ``$`` with an empty name."""

    name: str


class Function(msgspec.Struct, frozen=True):
    """A function's name, as the first word of a command or as an argument."""

    name: str


class Chain(msgspec.Struct, frozen=True):
    """``base.a.b``"""

    base: Expression
    fields: tuple[str, ...]


class Command(msgspec.Struct, frozen=True):
    """Words of one step of a pipeline: a value alone, or a function and its arguments."""

    words: tuple[Expression, ...]


class Pipeline(msgspec.Struct, frozen=True):
    """``$a, $b := first | second``; ``assigns`` tells ``=`` from ``:=``."""

    commands: tuple[Command, ...]
    variables: tuple[str, ...] = ()
    assigns: bool = False


class Text(msgspec.Struct, frozen=True):
    """What is copied."""

    text: str


class Action(msgspec.Struct, frozen=True):
    """``{{ pipeline }}``; ``source`` is what stands between the braces."""

    pipeline: Pipeline
    source: str


class Branch(msgspec.Struct, frozen=True):
    """``if``, ``with`` or ``range``."""

    keyword: str
    pipeline: Pipeline
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...]
    source: str


Expression = Literal | Dot | Variable | Function | Chain | Pipeline
Node = Text | Action | Branch
