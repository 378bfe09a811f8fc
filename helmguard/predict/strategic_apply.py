"""Applying strategic merge patches: to the live object (the API server), or one onto another (Helm)."""

from __future__ import annotations

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.json_equality import copy_json, json_equal, same_json_type
from helmguard.predict.schema.value_type import ANY, ValueType
from helmguard.predict.strategic_directives import (
    DELETE_PRIMITIVES,
    DIRECTIVE,
    ELEMENT_ORDER,
    RETAIN_KEYS,
    PatchError,
)
from helmguard.predict.strategic_order import check_order, go_text, in_order, order_after_merging, same_key


class _Mode(msgspec.Struct, frozen=True):
    """``to_object``: directives and nulls take effect; otherwise they are kept for the server to obey."""

    to_object: bool


def apply_patch(live: JSONObject, patch: JSONObject, type_: ValueType) -> JSONObject:
    """The live object after the API server has applied the patch, before defaulting and validation.

    Raises:
        PatchError: the API server cannot make sense of the patch.
    """
    return _merge_map(copy_json(live), copy_json(patch), type_, _Mode(to_object=True))


def merge_patches(first: JSONObject, second: JSONObject, type_: ValueType) -> JSONObject:
    """One patch that does what ``first`` and then ``second`` do."""
    return _merge_map(copy_json(first), copy_json(second), type_, _Mode(to_object=False))


def _merge_map(original: JSONObject, patch: JSONObject, type_: ValueType, mode: _Mode) -> JSONObject:
    directive = patch.pop(DIRECTIVE, None)
    if directive == "replace":
        return patch
    if directive == "delete":
        return {}
    _retain_keys(original, patch, mode)
    _merge_ordered_lists(original, patch, type_, mode)
    for key, value in patch.items():
        is_deletion = key.startswith(DELETE_PRIMITIVES)
        if is_deletion and not mode.to_object:
            original[key] = value
            continue
        name = key.removeprefix(DELETE_PRIMITIVES)
        if value is None:
            original.pop(name, None)
            if mode.to_object:
                continue
        if name not in original or not same_json_type(original[name], value):
            if not is_deletion:
                _set(original, name, value, mode)
            continue
        below = type_.child(name) or ANY
        if isinstance(value, dict):
            replaces = "replace" in below.patch_strategies
            original[name] = value if replaces else _merge_map(original[name], value, below, mode)
        elif isinstance(value, list):
            original[name] = _merge_list(original[name], value, below, mode, is_deletion)
        else:
            original[name] = value
    return original


def _set(original: JSONObject, name: str, value: JSONValue, mode: _Mode) -> None:
    if mode.to_object:
        value = _without_nulls(value)
    kept, keep = _without_directives(value)
    if keep:
        original[name] = kept
    else:
        original.pop(name, None)


def _retain_keys(original: JSONObject, patch: JSONObject, mode: _Mode) -> None:
    retained = patch.pop(RETAIN_KEYS, None)
    if retained is None:
        return
    if not mode.to_object:
        if original.setdefault(RETAIN_KEYS, retained) != retained:
            raise PatchError(
                f"{go_text(original[RETAIN_KEYS])} and {go_text(retained)} are not deep equal: "
                "this may happen when calculating the 3-way diff patch"
            )
        return
    sent = (key for key, value in patch.items() if value is not None and not key.startswith("$"))
    if any(key not in retained for key in sent):
        raise PatchError("invalid patch format of retainKeys")
    for key in [key for key in original if key not in retained]:
        del original[key]


def _merge_ordered_lists(original: JSONObject, patch: JSONObject, type_: ValueType, mode: _Mode) -> None:
    """Merge the lists that come with a wanted order, and put their items in it."""
    for directive in [key for key in patch if key.startswith(ELEMENT_ORDER)]:
        order = patch.pop(directive)
        if not mode.to_object and not json_equal(original.setdefault(directive, order), order):
            raise PatchError("invalid patch format of setElementOrder list")
        name = directive.removeprefix(ELEMENT_ORDER)
        below = type_.child(name) or ANY
        for side in (original, patch):
            if name in side and not isinstance(side[name], list):
                got = "%!s(<nil>)" if side[name] is None else type(side[name]).__name__
                raise PatchError(f"expected a []interface {{}}, but received a {got}")
        key, server_order = below.patch_merge_key, original.get(name, [])
        check_order(patch.get(name, []), order, key)
        if name in original and name in patch:
            server_order = order_after_merging(original[name], patch[name], key)
            merged = _merge_list(list(original[name]), patch[name], below, mode, is_deletion=False)
        elif name in original:
            merged = original[name]
        elif name in patch:
            kept, keep = _without_directives(patch[name])
            if not keep:
                continue
            merged = kept
        else:
            continue
        original[name] = in_order(merged, order, server_order, key)
        patch.pop(name, None)


def _merge_list(
    original: list[JSONValue], patch: list[JSONValue], type_: ValueType, mode: _Mode, is_deletion: bool
) -> list[JSONValue]:
    if "merge" not in type_.patch_strategies and not is_deletion:
        return patch
    if not original and not patch:
        return original
    key = type_.patch_merge_key
    if not any(isinstance(item, dict) for item in original + patch):
        if is_deletion:
            return [item for item in original if item not in patch]
        merged: list[JSONValue] = []
        for item in original + patch:
            if item not in merged:
                merged.append(item)
        return in_order(merged, patch, original, "")
    server_order = list(original)
    merged = list(original)
    kept_patch: list[JSONObject] = []
    for item in patch:
        if item.get(DIRECTIVE) != "delete":
            kept_patch.append(item)
        elif mode.to_object:
            merged = [other for other in merged if not same_key(other, item, key)]
        else:
            merged.append(item)
    for item in kept_patch:
        found = next((index for index, other in enumerate(merged) if same_key(other, item, key)), None)
        if found is None:
            merged.append(item)
        else:
            merged[found] = _merge_map(merged[found], item, type_.element(), mode)
    return in_order(merged, kept_patch, server_order, key)


def _without_nulls(value: JSONValue) -> JSONValue:
    if isinstance(value, dict):
        return {key: _without_nulls(below) for key, below in value.items() if below is not None}
    if isinstance(value, list):
        return [_without_nulls(below) for below in value]
    return value


def _without_directives(value: JSONValue) -> tuple[JSONValue, bool]:
    """The value without what only steers a patch; False where the value itself only steers."""
    if isinstance(value, dict):
        if DIRECTIVE in value:
            return None, False
        kept = {}
        for key, below in value.items():
            inner, keep = _without_directives(below)
            if keep:
                kept[key] = inner
        return kept, True
    if isinstance(value, list):
        pairs = [_without_directives(below) for below in value]
        return [inner for inner, keep in pairs if keep], True
    return value, True
