"""The fields in which two objects differ."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.compare.amounts import same_leaf
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.list_items import align, choose_keys, item_key
from helmguard.compare.list_keys import below, keys_of
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath, ItemKey
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.schema.value_type import ANY, ValueType


class Difference(msgspec.Struct, frozen=True):
    """One field; what one side lacks is MISSING. A list, or a list item, that is all new is one difference.

    ``order_only``: the list at the path holds the same items in another order; both values are then the
    lists of their keys.
    """

    path: FieldPath
    before: JSONValue
    after: JSONValue
    order_only: bool = False


def differences(
    before: JSONValue, after: JSONValue, schema: ValueType = ANY, path: FieldPath = ()
) -> Iterator[Difference]:
    """The fields that differ, in the order of ``before``'s keys, then what only ``after`` has.

    With the kind's schema, quantities are equal by amount, as the API server stores them. An explicit null is
    the same as an absent field.
    """
    if before is after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _walk_maps(before, after, schema, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _walk_lists(before, after, schema, path)
    elif before is None or after is None:
        yield from _removed(before, path)
        yield from _added(after, path)
    elif not same_leaf(before, after, schema):
        yield Difference(path, before, after)


def _walk_maps(
    before: JSONObject, after: JSONObject, schema: ValueType, path: FieldPath
) -> Iterator[Difference]:
    for name, left in before.items():
        right = after.get(name, MISSING)
        if right is MISSING:
            yield from _removed(left, (*path, name))
        elif not same_tree(left, right):
            yield from differences(left, right, below(schema, name), (*path, name))
    for name, right in after.items():
        if name not in before:
            yield from _added(right, (*path, name))


def _removed(value: JSONValue, path: FieldPath) -> Iterator[Difference]:
    for inner, leaf in _leaves(value, path):
        yield Difference(inner, leaf, MISSING)


def _added(value: JSONValue, path: FieldPath) -> Iterator[Difference]:
    for inner, leaf in _leaves(value, path):
        yield Difference(inner, MISSING, leaf)


def _leaves(value: JSONValue, path: FieldPath) -> Iterator[tuple[FieldPath, JSONValue]]:
    """The leaves of a map that one side lacks; nulls say nothing, empty maps and lists are leaves."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    elif value is not None:
        yield path, value


def _walk_lists(
    before: list[JSONValue], after: list[JSONValue], schema: ValueType, path: FieldPath
) -> Iterator[Difference]:
    keys = choose_keys(before, after, keys_of(schema))
    if keys:
        yield from _walk_keyed(before, after, keys, schema, path)
        return
    for left, right in align(before, after):
        if right is None:
            assert left is not None
            yield Difference((*path, left), before[left], MISSING)
        elif left is None:
            yield Difference((*path, right), MISSING, after[right])
        elif not same_tree(before[left], after[right]):
            yield from differences(before[left], after[right], schema.element(), (*path, right))


def _walk_keyed(
    before: list[JSONValue],
    after: list[JSONValue],
    keys: tuple[str, ...],
    schema: ValueType,
    path: FieldPath,
) -> Iterator[Difference]:
    lefts = {item_key(item, keys): item for item in before}
    rights = {item_key(item, keys): item for item in after}
    for key, left in lefts.items():
        right = rights.get(key, MISSING)
        if right is MISSING:
            yield Difference((*path, key), left, MISSING)
        elif not same_tree(left, right):
            yield from differences(left, right, schema.element(), (*path, key))
    for key, right in rights.items():
        if key not in lefts:
            yield Difference((*path, key), MISSING, right)
    common_before = [key for key in lefts if key in rights]
    common_after = [key for key in rights if key in lefts]
    if common_before != common_after:
        yield Difference(path, _names(common_before), _names(common_after), order_only=True)


def _names(keys: list[ItemKey]) -> list[str]:
    return [",".join(str(value) for _, value in key.fields) for key in keys]
