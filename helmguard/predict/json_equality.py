"""Equality of JSON values as Go sees it: true is not 1."""

from __future__ import annotations

import marshal

from helmguard.model.json_value import JSONValue

_NUMBERS = frozenset([int, float])


def json_equal(left: JSONValue, right: JSONValue) -> bool:
    """Whether two JSON values are the same; numbers compare by amount, booleans only with booleans.

    Python's own ``==`` takes True for 1, so trees that it calls equal are looked at again; equal bytes in
    marshal's format (types and order included) settle nearly all of them without a walk.
    """
    if left is right:
        return True
    if left != right:
        return False
    kind = type(left)
    if kind is str:
        return True
    if kind is not dict and kind is not list:
        return isinstance(left, bool) == isinstance(right, bool)
    return marshal.dumps(left, 2) == marshal.dumps(right, 2) or _same_booleans(left, right)


def _same_booleans(left: JSONValue, right: JSONValue) -> bool:
    """Whether two trees that ``==`` calls equal have booleans at the same places."""
    if isinstance(left, dict):
        return all(_same_booleans(value, right[name]) for name, value in left.items())
    if isinstance(left, list):
        return all(map(_same_booleans, left, right))
    return isinstance(left, bool) == isinstance(right, bool)


def same_json_type(left: JSONValue, right: JSONValue) -> bool:
    """Whether both are maps, lists, strings, numbers, booleans or null."""
    if type(left) is type(right):
        return True
    return type(left) in _NUMBERS and type(right) in _NUMBERS


def copy_json(value: JSONValue) -> JSONValue:
    """A copy of a JSON tree that shares nothing with it."""
    if isinstance(value, dict):
        return {key: copy_json(below) for key, below in value.items()}
    if isinstance(value, list):
        return [copy_json(below) for below in value]
    return value
