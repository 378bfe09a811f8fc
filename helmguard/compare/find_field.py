"""Look-up of a field path in an object."""

from __future__ import annotations

from helmguard.compare.list_items import find_item
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath, ItemKey
from helmguard.model.json_value import JSONValue


def find_field(document: JSONValue, path: FieldPath) -> JSONValue:
    """The value at the path, MISSING where the path leads nowhere; a list item is found by its key."""
    value = document
    for step in path:
        if isinstance(step, str):
            if not isinstance(value, dict) or step not in value:
                return MISSING
            value = value[step]
        elif not isinstance(value, list):
            return MISSING
        elif isinstance(step, ItemKey):
            value = find_item(value, step)
            if value is None:
                return MISSING
        elif step < len(value):
            value = value[step]
        else:
            return MISSING
    return value


def up_to_position(path: FieldPath) -> FieldPath:
    """The path up to its first list position: positions of two documents need not mean the same item."""
    for index, step in enumerate(path):
        if isinstance(step, int):
            return path[:index]
    return path
