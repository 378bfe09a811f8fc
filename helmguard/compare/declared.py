"""Whether an object holds what a manifest declares. Fields that the manifest does not name are ignored."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.amounts import same_leaf
from helmguard.compare.differences import Difference
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.list_items import choose_keys, item_key
from helmguard.compare.list_keys import below, keys_of
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue
from helmguard.predict.schema.builtin_types import BuiltinType
from helmguard.predict.schema.value_type import ANY, ValueType


def undelivered(
    declared: JSONValue, actual: JSONValue, schema: ValueType = ANY, path: FieldPath = ()
) -> Iterator[Difference]:
    """The declared fields that ``actual`` does not hold: ``before`` declared, ``after`` actual.

    Nulls declare nothing. An empty text, list or map, and in built-in kinds false and 0, are held by an
    object that lacks the field: the API server does not store them.
    """
    if declared is not None and not same_tree(declared, actual):
        yield from _walk(declared, actual, schema, path)


def _walk(declared: JSONValue, actual: JSONValue, schema: ValueType, path: FieldPath) -> Iterator[Difference]:
    """``undelivered`` of what is not the same. Most fields are: only the others are gone into."""
    if actual in (MISSING, None):
        if not _is_unstored(declared, schema):
            yield Difference(path, declared, actual)
    elif isinstance(declared, dict) and isinstance(actual, dict):
        for name, value in declared.items():
            held = actual.get(name, MISSING)
            if value is not None and not same_tree(value, held):
                yield from _walk(value, held, below(schema, name), (*path, name))
    elif isinstance(declared, list) and isinstance(actual, list):
        yield from _walk_lists(declared, actual, schema, path)
    elif not same_leaf(declared, actual, schema):
        yield Difference(path, declared, actual)


def holds(declared: JSONValue, actual: JSONValue, schema: ValueType = ANY, path: FieldPath = ()) -> bool:
    """Whether ``actual`` holds all that is declared."""
    return next(undelivered(declared, actual, schema, path), None) is None


def _walk_lists(
    declared: list[JSONValue], actual: list[JSONValue], schema: ValueType, path: FieldPath
) -> Iterator[Difference]:
    known = keys_of(schema)
    keys = choose_keys(declared, actual, known)
    # Without a merge key the list belongs to the manifest as a whole: an item more is not the declared list.
    if keys and (keys == known or len(declared) == len(actual)):
        found = {item_key(item, keys): item for item in actual}
        for item in declared:
            key = item_key(item, keys)
            held = found.get(key, MISSING)
            if not same_tree(item, held):
                yield from _walk(item, held, schema.element(), (*path, key))
    elif len(declared) != len(actual):
        yield Difference(path, declared, actual)
    else:
        for index, (item, held) in enumerate(zip(declared, actual, strict=True)):
            yield from undelivered(item, held, schema.element(), (*path, index))


def _is_unstored(declared: JSONValue, schema: ValueType) -> bool:
    """Whether an object without the field holds the value: the API server leaves out empty ones."""
    if declared in ("", [], {}):
        return True
    return isinstance(schema, BuiltinType) and not schema.pointer and not declared
