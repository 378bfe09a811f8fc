"""Equality of JSON values as Go sees it: true is not 1."""

from __future__ import annotations

from helmguard.model.json_value import JSONValue


def json_equal(left: JSONValue, right: JSONValue) -> bool:
    """Whether two JSON values are the same; numbers compare by amount, booleans only with booleans."""
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(json_equal(value, right[key]) for key, value in left.items())
        )
    if isinstance(left, list):
        return (
            isinstance(right, list)
            and len(left) == len(right)
            and all(json_equal(one, other) for one, other in zip(left, right, strict=True))
        )
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right)


def same_json_type(left: JSONValue, right: JSONValue) -> bool:
    """Whether both are maps, lists, strings, numbers, booleans or null."""
    if isinstance(left, bool) or isinstance(right, bool):
        return isinstance(left, bool) and isinstance(right, bool)
    if isinstance(left, int | float) and isinstance(right, int | float):
        return True
    return type(left) is type(right)


def copy_json(value: JSONValue) -> JSONValue:
    """A copy of a JSON tree that shares nothing with it."""
    if isinstance(value, dict):
        return {key: copy_json(below) for key, below in value.items()}
    if isinstance(value, list):
        return [copy_json(below) for below in value]
    return value
