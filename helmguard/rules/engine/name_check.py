"""Do a rule's expressions name only what the context has?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from helmguard.rules.context.record import AnyJSON, ListOf, MapOf, RecordOf, Scalar, Shape, fields_of
from helmguard.rules.engine.cel import CelEngine
from helmguard.rules.engine.cel_tree import Call, Constant, Ident, Loop, Many, Node, Select
from helmguard.rules.engine.evaluate import ITEM
from helmguard.rules.engine.source import Source

_ANY = AnyJSON()


class Tables(msgspec.Struct, frozen=True):
    """The tables of a pack, by name."""

    names: frozenset[str]


Known: TypeAlias = Shape | Tables
"""What is known about a value."""


def check_names(source: Source, engine: CelEngine, variables: Mapping[str, Known]) -> None:
    """Compiles the expression and checks every variable it uses and every field it selects.

    Raises:
        RuleError: it does not compile, there is no such variable here, or a record has no such field.
    """
    tree = source.compiled(engine).tree()
    if tree is not None:
        _shape_of(tree, dict(variables), source)


def _shape_of(node: Node, variables: dict[str, Known], source: Source) -> Known:
    match node:
        case Ident(name, at):
            name = name.removeprefix(".")
            if name == ITEM and name not in variables:
                raise source.error("there is no 'it' without 'over'", at)
            return variables.get(name, _ANY)
        case Select(operand, field, _, at):
            return _selected(_shape_of(operand, variables, source), field, at, source)
        case Call("_[_]" | "_[?_]", _, arguments, _):
            return _indexed(arguments, variables, source)
        case Call("_?._", _, arguments, at):
            shape = _shape_of(arguments[0], variables, source)
            chosen = arguments[1].text if isinstance(arguments[1], Constant) else None
            return _selected(shape, chosen, at, source) if chosen is not None else _ANY
        case Call(_, target, arguments, _):
            shapes = [_shape_of(part, variables, source) for part in arguments]
            kept = _shape_of(target, variables, source) if target is not None else _ANY
            is_choice = node.function == "_?_:_" and len(shapes) == 3 and shapes[1] == shapes[2]
            return shapes[1] if is_choice else (kept if node.function in ("orValue", "reverse") else _ANY)
        case Many(parts, _):
            for part in parts:
                _shape_of(part, variables, source)
            return _ANY
        case Loop():
            return _looped(node, variables, source)
        case _:
            return _ANY


def _looped(loop: Loop, variables: dict[str, Known], source: Source) -> Known:
    over = _shape_of(loop.over, variables, source)
    item: Shape = _ANY
    if isinstance(over, ListOf):
        item = over.item
    elif isinstance(over, MapOf):
        item = Scalar("string")
    inner = {**variables, loop.variable: item, loop.accumulator: _ANY}
    if loop.variable == "#unused":
        # cel.bind: the variable is the accumulator, and its value the initial one.
        inner[loop.accumulator] = _shape_of(loop.parts[0], variables, source)
    for part in loop.parts:
        _shape_of(part, inner, source)
    return over if _keeps_items(loop) else _ANY


def _keeps_items(loop: Loop) -> bool:
    """Whether the loop is a ``filter``: what it adds to its result is the item itself."""
    step = loop.parts[2]
    if not (isinstance(step, Call) and step.function == "_?_:_"):
        return False
    added = step.arguments[1]
    if not (isinstance(added, Call) and added.function == "_+_" and isinstance(added.arguments[1], Many)):
        return False
    items = added.arguments[1].parts
    return len(items) == 1 and isinstance(items[0], Ident) and items[0].name == loop.variable


def _selected(shape: Known, field: str, at: int, source: Source) -> Known:
    if isinstance(shape, RecordOf):
        known = fields_of(shape.record)
        if field not in known:
            names = ", ".join(known)
            raise source.error(f"{shape.record.__name__} has no field {field!r} (it has {names})", at)
        return known[field].shape
    if isinstance(shape, MapOf):
        return shape.item
    if isinstance(shape, Tables):
        if field not in shape.names:
            raise source.error(f"the pack has no table {field}.json", at)
        return _ANY
    if isinstance(shape, Scalar | ListOf):
        what = "a list" if isinstance(shape, ListOf) else f"a {shape.name}"
        raise source.error(f"{field!r} is asked of {what}", at)
    return _ANY


def _indexed(arguments: tuple[Node, ...], variables: dict[str, Known], source: Source) -> Known:
    shapes = [_shape_of(part, variables, source) for part in arguments]
    first = shapes[0]
    if isinstance(first, ListOf | MapOf):
        return first.item
    name = arguments[1].text if isinstance(arguments[1], Constant) else None
    if isinstance(first, RecordOf | Tables) and name is not None:
        return _selected(first, name, arguments[1].at, source)
    return _ANY
