"""Items of keyed lists that the manifest declares and that a merge loses.

Helm's client-side merge takes one field for an item's key where the server takes two: ports of one number
and two protocols are one item to it. Two entries with one key lose both when one of them is taken away.
"""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.declared import holds
from helmguard.compare.list_keys import below
from helmguard.model.field_path import FieldPath, ItemKey
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import LostItems
from helmguard.predict.schema.value_type import ValueType

_DEFAULTS = {"protocol": "TCP"}


def lost_items(
    key: ResourceKey, declared: JSONValue, actual: JSONValue, schema: ValueType, path: FieldPath = ()
) -> Iterator[LostItems]:
    """The lists of ``declared`` that ``actual`` does not hold whole, each with the items that are missing."""
    if declared is actual:
        return
    if isinstance(declared, dict) and isinstance(actual, dict):
        for name, value in declared.items():
            if not isinstance(value, dict | list):
                continue
            child, held = below(schema, name), actual.get(name)
            if held is None and isinstance(value, list) and child.patch_merge_key:
                held = []
            if held is not None:
                yield from lost_items(key, value, held, child, (*path, name))
    elif isinstance(declared, list) and isinstance(actual, list) and schema.patch_merge_key:
        yield from _lists(key, declared, actual, schema, path)


def _lists(
    key: ResourceKey,
    declared: list[JSONValue],
    actual: list[JSONValue],
    schema: ValueType,
    path: FieldPath,
) -> Iterator[LostItems]:
    missing: list[JSONObject] = []
    for item in declared:
        if not isinstance(item, dict):
            return
        held = _held(item, declared, actual, schema)
        if held is None:
            missing.append(item)
        else:
            step = ItemKey(((schema.patch_merge_key, item.get(schema.patch_merge_key)),))
            yield from lost_items(key, item, held, schema.element(), (*path, step))
    if missing:
        yield LostItems(key, path, len(declared), len(actual), tuple(missing))


def _held(
    item: JSONObject, declared: list[JSONValue], actual: list[JSONValue], schema: ValueType
) -> JSONObject | None:
    """The actual item that stands for the declared one."""
    merge_key = schema.patch_merge_key
    twins = [one for one in declared if isinstance(one, dict) and one.get(merge_key) == item.get(merge_key)]
    candidates = [
        one for one in actual if isinstance(one, dict) and one.get(merge_key) == item.get(merge_key)
    ]
    for one in candidates:
        if holds(item, one, schema.element()):
            return one
    if len(twins) > 1:
        return None
    return next((one for one in candidates if _same_item(item, one, schema)), None)


def _same_item(item: JSONObject, other: JSONObject, schema: ValueType) -> bool:
    return all(
        item.get(name, _DEFAULTS.get(name)) == other.get(name, _DEFAULTS.get(name))
        for name in schema.list_keys
        if name in item or name in _DEFAULTS
    )
