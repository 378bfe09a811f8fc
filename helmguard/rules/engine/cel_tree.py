"""A compiled CEL expression as a tree: which names and fields it uses, and where.

``cel-expr-python`` gives no tree, but it serialises an expression as a ``google.protobuf.Any`` that holds a
``cel.expr.CheckedExpr`` (google/cel-spec, proto/cel/expr/checked.proto and syntax.proto). The few fields
needed here are read straight from the wire format.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import msgspec

_ANY_VALUE = 2
_CHECKED_EXPR, _CHECKED_SOURCE = 4, 5
_POSITIONS = 4


class Ident(msgspec.Struct, frozen=True):
    """A variable; ``at`` is the offset in the expression's text, -1 where the compiler made the node."""

    name: str
    at: int


class Select(msgspec.Struct, frozen=True):
    """``operand.field``, or ``has(operand.field)`` where ``only_tests``."""

    operand: Node
    field: str
    only_tests: bool
    at: int


class Call(msgspec.Struct, frozen=True):
    """A function, operator (``_&&_``, ``_[_]``) or method; ``target`` is None where it is none."""

    function: str
    target: Node | None
    arguments: tuple[Node, ...]
    at: int


class Many(msgspec.Struct, frozen=True):
    """A list, map or message that the expression builds."""

    parts: tuple[Node, ...]
    at: int


class Constant(msgspec.Struct, frozen=True):
    """A literal; ``text`` is its value where it is a string."""

    text: str | None
    at: int


class Loop(msgspec.Struct, frozen=True):
    """What a macro (``exists``, ``all``, ``filter``, ``map``) becomes: ``variable`` runs over ``over``."""

    variable: str
    over: Node
    accumulator: str
    parts: tuple[Node, ...]
    at: int


Node: TypeAlias = Ident | Select | Call | Many | Constant | Loop


def read_tree(serialized: bytes) -> Node:
    """The tree of what ``Expression.serialize()`` gave."""
    root, positions = b"", {}
    checked = next(value for number, value in _fields(serialized) if number == _ANY_VALUE)
    for number, value in _fields(_bytes(checked)):
        if number == _CHECKED_EXPR and isinstance(value, bytes):
            root = value
        elif number == _CHECKED_SOURCE and isinstance(value, bytes):
            positions = _positions(value)
    return _node(root, positions)


def _node(data: bytes, positions: dict[int, int]) -> Node:
    at, kind, body = -1, 0, b""
    for number, value in _fields(data):
        if number == 2 and isinstance(value, int):
            at = positions.get(value, -1)
        elif isinstance(value, bytes):
            kind, body = number, value
    parts = list(_fields(body))
    match kind:
        case 4:
            return Ident(_text(parts, 1), at)
        case 5:
            return Select(_child(parts, 1, positions), _text(parts, 2), _flag(parts, 3), at)
        case 6:
            target = _children(parts, 1, positions)
            return Call(_text(parts, 2), target[0] if target else None, _children(parts, 3, positions), at)
        case 7:
            return Many(_children(parts, 1, positions), at)
        case 8:
            return Many(tuple(_entries(parts, positions)), at)
        case 9:
            return Loop(
                variable=_text(parts, 1),
                over=_child(parts, 2, positions),
                accumulator=_text(parts, 3),
                parts=tuple(_child(parts, number, positions) for number in (4, 5, 6, 7)),
                at=at,
            )
        case _:
            strings = [value for number, value in parts if number == 6 and isinstance(value, bytes)]
            return Constant(strings[0].decode() if strings else None, at)


def _entries(parts: list[tuple[int, int | bytes]], positions: dict[int, int]) -> Iterator[Node]:
    for number, value in parts:
        if number == 2 and isinstance(value, bytes):
            entry = list(_fields(value))
            yield from (*_children(entry, 3, positions), *_children(entry, 4, positions))


def _children(
    parts: list[tuple[int, int | bytes]], wanted: int, positions: dict[int, int]
) -> tuple[Node, ...]:
    return tuple(
        _node(value, positions) for number, value in parts if number == wanted and isinstance(value, bytes)
    )


def _child(parts: list[tuple[int, int | bytes]], wanted: int, positions: dict[int, int]) -> Node:
    found = _children(parts, wanted, positions)
    return found[0] if found else Constant(None, -1)


def _text(parts: list[tuple[int, int | bytes]], wanted: int) -> str:
    return next(
        (value.decode() for number, value in parts if number == wanted and isinstance(value, bytes)), ""
    )


def _flag(parts: list[tuple[int, int | bytes]], wanted: int) -> bool:
    return any(number == wanted and value == 1 for number, value in parts)


def _positions(source: bytes) -> dict[int, int]:
    """Node id to offset; zero values are left out on the wire."""
    found = {}
    for number, value in _fields(source):
        if number == _POSITIONS and isinstance(value, bytes):
            entry = {key: item for key, item in _fields(value) if isinstance(item, int)}
            found[entry.get(1, 0)] = entry.get(2, 0)
    return found


def _bytes(value: int | bytes) -> bytes:
    return value if isinstance(value, bytes) else b""


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Number and value of each field of a message (protobuf's encoding: varints, fixed and counted bytes)."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield number, value
            continue
        if wire == 2:
            size, at = _varint(data, at)
        else:
            size = 8 if wire == 1 else 4
        yield number, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        shift += 7
        if byte < 0x80:
            return value, at
