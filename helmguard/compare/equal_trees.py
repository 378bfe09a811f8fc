"""Fast and exact equality of JSON trees."""

from __future__ import annotations

import marshal

from helmguard.model.json_value import JSONValue


def same_tree(left: JSONValue, right: JSONValue) -> bool:
    """Whether two trees are equal as JSON is: 1 equals 1.0, True does not equal 1.

    Python's own ``==`` takes True for 1, so trees that it calls equal are looked at again; equal bytes in
    marshal's format (types and order included) settle nearly all of them without a walk.
    """
    if left is right:
        return True
    if left != right:
        return False
    if not isinstance(left, dict | list):
        return isinstance(left, bool) == isinstance(right, bool)
    return marshal.dumps(left, 2) == marshal.dumps(right, 2) or _same_types(left, right)


def _same_types(left: JSONValue, right: JSONValue) -> bool:
    """Whether two trees that ``==`` calls equal have booleans at the same places."""
    if isinstance(left, dict):
        return all(_same_types(value, right[name]) for name, value in left.items())
    if isinstance(left, list):
        return all(map(_same_types, left, right))
    return isinstance(left, bool) == isinstance(right, bool)
