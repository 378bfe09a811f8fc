"""Looking into plain values: leaves, equality as Helm's templates see it, and what the user set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from helmguard.model.field_change import MISSING
from helmguard.values.table import ValuePath


def leaves(value: Any, path: ValuePath = ()) -> Iterator[tuple[ValuePath, Any]]:
    """Scalars, nulls, lists and empty maps, with their paths; a list is one leaf."""
    if isinstance(value, dict) and (value or not path):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def find(value: Any, path: ValuePath) -> Any:
    """What stands at a path, MISSING where nothing does."""
    for step in path:
        in_list = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if not in_list and not (isinstance(value, dict) and step in value):
            return MISSING
        value = value[step]
    return value


def is_set(value: Any, path: ValuePath) -> bool:
    """Whether a tree sets a path: by a value there, below it, or by something above that is no map."""
    for step in path:
        if not isinstance(value, dict):
            return True
        if step not in value:
            return False
        value = value[step]
    return True


def same_value(left: Any, right: Any) -> bool:
    """Equality where 1 and 1.0 are one number and true is none."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_value(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_value, left, right))
    return bool(left == right)


def json_type(value: Any) -> str:
    """What JSON calls the value's type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "list" if isinstance(value, list) else "map"
