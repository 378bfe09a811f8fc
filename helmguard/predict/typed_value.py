"""Objects as server-side apply sees them: merged, compared and pruned by list and map types.

Follows sigs.k8s.io/structured-merge-diff v6 (typed/merge.go, compare.go, remove.go, tofieldset.go).
"""

from __future__ import annotations

import operator
from functools import lru_cache

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.field_set import FieldSet, FieldsPath, compact_json
from helmguard.predict.json_equality import json_equal
from helmguard.predict.schema.value_type import ANY, ValueType

_ABSENT = object()


def is_atomic(type_: ValueType, value: JSONValue) -> bool:
    """Whether the value is owned as a whole."""
    if isinstance(value, dict):
        return type_.atomic or type_.shape == "scalar"
    if isinstance(value, list):
        return type_.shape != "list" or type_.list_type == "atomic"
    return True


def item_key(item: JSONValue, type_: ValueType) -> str:
    """The FieldsV1 key of a list's item; ``type_`` is the list's type."""
    if type_.list_type == "set":
        return "v:" + compact_json(item)
    pairs: list[JSONValue] = []
    for name in type_.list_keys:
        value = item.get(name, _ABSENT) if isinstance(item, dict) else _ABSENT
        if value is _ABSENT:
            value = _key_default(type_.element().child(name))
        if value is not _ABSENT:
            pairs += (name, value)
    try:
        return _map_key(*pairs)
    except TypeError:  # a map or list in place of a key's value
        return _map_key.__wrapped__(*pairs)


def _key_default(below: ValueType | None) -> JSONValue | object:
    """What stands for a key that an item lacks; Kubernetes' own required keys have their zero for default."""
    if below is None:
        return _ABSENT
    if below.default is not None:
        return below.default
    if not below.always_written:
        return _ABSENT
    return 0 if below.scalar == "int" else ""


@lru_cache(maxsize=10_000, typed=True)
def _map_key(*pairs: JSONValue) -> str:
    """The step for names and values by turns."""
    return "k:" + compact_json(dict(zip(pairs[::2], pairs[1::2], strict=True)))


def field_set(value: JSONValue, type_: ValueType) -> FieldSet:
    """The fields that a manager who applies ``value`` owns."""
    paths: set[FieldsPath] = set()
    _add_fields(value, type_, (), paths)
    return frozenset(paths)


def _add_fields(value: JSONValue, type_: ValueType, path: FieldsPath, paths: set[FieldsPath]) -> None:
    if isinstance(value, dict) and not is_atomic(type_, value):
        for key, below in value.items():
            here = (*path, f"f:{key}")
            child = type_.child(key)
            _add_fields(below, child or ANY, here, paths)
            named = type_.shape == "struct" and type_.field(key) is not None
            if below is None or below == {} or not named:
                paths.add(here)
    elif isinstance(value, list) and not is_atomic(type_, value):
        keys = [item_key(item, type_) for item in value]
        for key, item in zip(keys, value, strict=True):
            paths.add((*path, key))
            if keys.count(key) == 1:
                _add_fields(item, type_.element(), (*path, key), paths)
    elif value is None and type_.shape in ("struct", "map", "list"):
        if type_.atomic or (type_.shape == "list" and type_.list_type == "atomic"):
            paths.add(path)
    else:
        paths.add(path)


class Comparison(msgspec.Struct):
    """The fields that differ between two objects."""

    added: set[FieldsPath] = msgspec.field(default_factory=set)
    removed: set[FieldsPath] = msgspec.field(default_factory=set)
    modified: set[FieldsPath] = msgspec.field(default_factory=set)


def compare(left: JSONObject, right: JSONObject, type_: ValueType) -> Comparison:
    """What changes from ``left`` to ``right``."""
    result = Comparison()
    _compare(left, right, type_, (), result)
    return result


def _compare(
    left: JSONValue, right: JSONValue, type_: ValueType, path: FieldsPath, result: Comparison
) -> None:
    value = right if right is not _ABSENT and right is not None else left
    if isinstance(value, dict) and not is_atomic(type_, value) and _not_both_empty(left, right):
        lefts, rights = _as_map(left), _as_map(right)
        for key in dict.fromkeys([*lefts, *rights]):
            _compare(
                lefts.get(key, _ABSENT),
                rights.get(key, _ABSENT),
                type_.child(key) or ANY,
                (*path, f"f:{key}"),
                result,
            )
    elif isinstance(value, list) and not is_atomic(type_, value) and _not_both_empty(left, right):
        _compare_items(_as_list(left), _as_list(right), type_, path, result)
    elif left is not _ABSENT and right is not _ABSENT and not json_equal(left, right):
        result.modified.add(path)
    if path and left is _ABSENT:
        result.added.add(path)
    if path and right is _ABSENT:
        result.removed.add(path)


def _compare_items(
    left: list[JSONValue], right: list[JSONValue], type_: ValueType, path: FieldsPath, result: Comparison
) -> None:
    lefts, rights = _by_key(left, type_), _by_key(right, type_)
    for key in dict.fromkeys([*lefts, *rights]):
        ours, theirs = lefts.get(key, []), rights.get(key, [])
        here = (*path, key)
        if len(ours) <= 1 and len(theirs) <= 1:
            one = ours[0] if ours else _ABSENT
            other = theirs[0] if theirs else _ABSENT
            _compare(one, other, type_.element(), here, result)
        elif len(ours) > 1 and len(theirs) > 1:
            if not json_equal(ours, theirs):
                result.modified.add(here)
        elif len(ours) > 1:
            if theirs:
                _compare(_ABSENT, theirs[0], type_.element(), here, result)
            result.removed.add(here)
        else:
            if ours:
                _compare(ours[0], _ABSENT, type_.element(), here, result)
            result.added.add(here)


def _by_key(items: list[JSONValue], type_: ValueType) -> dict[str, list[JSONValue]]:
    grouped: dict[str, list[JSONValue]] = {}
    for item in items:
        grouped.setdefault(item_key(item, type_), []).append(item)
    return grouped


def _not_both_empty(left: JSONValue, right: JSONValue) -> bool:
    return any(side is not _ABSENT and bool(side) for side in (left, right))


def _as_map(value: JSONValue) -> JSONObject:
    return value if isinstance(value, dict) else {}


def _as_list(value: JSONValue) -> list[JSONValue]:
    return value if isinstance(value, list) else []


def merge(live: JSONValue, applied: JSONValue, type_: ValueType) -> JSONValue:
    """The live value with the applied one laid over it; ``live`` itself where that changes nothing."""
    if applied is _ABSENT:
        return live
    if live is _ABSENT:
        return applied
    if isinstance(applied, dict) and isinstance(live, dict) and not is_atomic(type_, applied):
        return _merge_maps(live, applied, type_)
    if isinstance(applied, list) and isinstance(live, list) and not is_atomic(type_, applied):
        if not applied and not live:
            return live
        merged = _merge_items(live, applied, type_)
        same = len(merged) == len(live) and all(map(operator.is_, merged, live))
        return live if same else merged
    if applied is None and isinstance(live, dict | list) and live and not is_atomic(type_, live):
        return live
    return live if json_equal(live, applied) else applied


def _merge_maps(live: JSONObject, applied: JSONObject, type_: ValueType) -> JSONObject:
    changed: JSONObject = {}
    for key, value in applied.items():
        before = live.get(key, _ABSENT)
        after = merge(before, value, type_.child(key) or ANY)
        if after is not before:
            changed[key] = after
    return {**live, **changed} if changed else live


def _merge_items(live: list[JSONValue], applied: list[JSONValue], type_: ValueType) -> list[JSONValue]:
    """Applied items keep their order; live-only items keep their place between the items both have."""
    live_keys = [item_key(item, type_) for item in live]
    new_keys = [item_key(item, type_) for item in applied]
    in_live, in_new = set(live_keys), set(new_keys)
    shared = [key for key in new_keys if key in in_live]
    next_shared = shared.pop(0) if shared else None
    merged_keys: set[str] = set()
    result: list[JSONValue] = []
    left = right = 0

    def take(key: str, item: JSONValue) -> None:
        merged_keys.add(key)
        partner = live[live_keys.index(key)] if live_keys.count(key) == 1 else _ABSENT
        result.append(merge(partner, item, type_.element()))

    while left < len(live) or right < len(applied):
        if left < len(live) and right < len(applied):
            key = live_keys[left]
            if key == new_keys[right]:
                take(key, applied[right])
                left, right = left + 1, right + 1
                next_shared = shared.pop(0) if shared else None
                continue
            if key in in_new and next_shared is not None and next_shared != key:
                left += 1
                continue
        if left < len(live):
            key = live_keys[left]
            if key not in in_new:
                result.append(live[left])
                left += 1
                continue
            if key in merged_keys:
                left += 1
        if right < len(applied):
            key = new_keys[right]
            take(key, applied[right])
            right += 1
            if next_shared == key:
                next_shared = shared.pop(0) if shared else None
    return result


def remove_fields(value: JSONValue, fields: FieldSet, type_: ValueType) -> JSONValue:
    """The value without the members of ``fields``; maps and lists that end up empty vanish (None)."""
    tree: JSONObject = {}
    for path in fields:
        node = tree
        for step in path:
            node = node.setdefault(step, {})
        node["."] = True
    return _remove(value, tree, type_)


def _remove(value: JSONValue, tree: JSONObject, type_: ValueType) -> JSONValue:
    if isinstance(value, dict):
        if not value or is_atomic(type_, value):
            return None
        kept = {}
        for key, below in value.items():
            node = tree.get(f"f:{key}")
            if node is None:
                kept[key] = below
            elif "." not in node:
                kept[key] = _remove(below, node, type_.child(key) or ANY)
        return kept or None
    if isinstance(value, list):
        if not value or is_atomic(type_, value):
            return None
        items = []
        for item in value:
            node = tree.get(item_key(item, type_))
            if node is None:
                items.append(item)
            elif "." not in node:
                items.append(_remove(item, node, type_.element()))
        return items or None
    return value
