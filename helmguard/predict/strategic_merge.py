"""Strategic merge: what Helm's client-side apply does to the kinds of its compiled scheme.

Two steps, as in reality: Helm makes a three-way patch from old manifest, new manifest and live object
(``three_way_patch``), the API server applies it (``strategic_apply.apply_patch``). Follows the behaviour of
k8s.io/apimachinery@v0.37.1 pkg/util/strategicpatch, duplicates of merge keys included.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.json_equality import copy_json, json_equal, same_json_type
from helmguard.predict.schema.value_type import ValueType
from helmguard.predict.strategic_apply import merge_patches
from helmguard.predict.strategic_directives import (
    DELETE_PRIMITIVES,
    DIRECTIVE,
    ELEMENT_ORDER,
    RETAIN_KEYS,
    PatchError,
)
from helmguard.predict.strategic_order import go_text

_ABSENT = object()


class _Wanted(msgspec.Struct, frozen=True):
    """Which differences a patch shall hold.

    ``skip_shared``: what is one and the same object on both sides needs no look. That is so once the new
    document was walked without an error, since only then is it known that no list item lacks its merge key.
    """

    changes: bool
    deletions: bool
    retain_keys: bool = False
    skip_shared: bool = False

    def for_field(self, type_: ValueType) -> _Wanted:
        """The same below a field."""
        retain_keys = "retainKeys" in type_.patch_strategies
        return self if retain_keys == self.retain_keys else replace(self, retain_keys=retain_keys)


_CHANGES = _Wanted(changes=True, deletions=False)
_DELETIONS = _Wanted(changes=False, deletions=True)
_DELETIONS_NEXT = _Wanted(changes=False, deletions=True, skip_shared=True)


def three_way_patch(old: JSONObject, new: JSONObject, live: JSONObject, type_: ValueType) -> JSONObject:
    """Additions and changes from ``live`` to ``new``, deletions from ``old`` to ``new``.

    Raises:
        PatchError: an item lacks its merge key, or a field is unknown to the compiled types.
    """
    changes = _diff_maps(live, new, type_, _CHANGES)
    # Without any change the whole of ``new`` was walked beside ``live``.
    deletions = _diff_maps(old, new, type_, _DELETIONS if changes else _DELETIONS_NEXT)
    if not changes and not deletions:
        return {}
    return merge_patches(deletions, changes, type_)


def _diff_maps(original: JSONObject, modified: JSONObject, type_: ValueType, wanted: _Wanted) -> JSONObject:
    patch: JSONObject = {}
    retained = [key for key, value in modified.items() if value is not None] if wanted.retain_keys else []
    for key, value in modified.items():
        before = original.get(key, _ABSENT)
        if type(value) is str:
            if wanted.changes and before != value:
                patch[key] = value
        elif before is value and wanted.skip_shared:
            continue
        elif before is _ABSENT or not same_json_type(before, value):
            if wanted.changes:
                patch[key] = copy_json(value)
        elif isinstance(value, dict):
            _diff_map_field(key, before, value, patch, type_, wanted)
        elif isinstance(value, list):
            _diff_list_field(key, before, value, patch, type_, wanted)
        elif wanted.changes and not json_equal(before, value):
            patch[key] = value
    if wanted.deletions:
        patch.update({key: None for key in original if key not in modified})
    if retained and (patch or any(key not in modified for key in original)):
        patch[RETAIN_KEYS] = sorted(retained)
    return patch


def _diff_map_field(
    key: str, original: JSONObject, modified: JSONObject, patch: JSONObject, type_: ValueType, wanted: _Wanted
) -> None:
    below = _look_up(type_, key)
    if below is None:
        if json_equal(original, modified):
            return
        raise PatchError(_unknown_field(type_, key))
    if "replace" in below.patch_strategies:
        if wanted.changes:
            patch[key] = copy_json(modified)
        return
    difference = _diff_maps(original, modified, below, wanted.for_field(below))
    if difference:
        patch[key] = difference


def _diff_list_field(
    key: str,
    original: list[JSONValue],
    modified: list[JSONValue],
    patch: JSONObject,
    type_: ValueType,
    wanted: _Wanted,
) -> None:
    below = _look_up(type_, key)
    if below is None:
        if json_equal(original, modified):
            return
        raise PatchError(_unknown_field(type_, key))
    if "merge" not in below.patch_strategies:
        if wanted.changes and not json_equal(original, modified):
            patch[key] = copy_json(modified)
        return
    added, deleted, order = _diff_lists(original, modified, below, wanted.for_field(below))
    if added:
        patch[key] = added
    if deleted:
        patch[DELETE_PRIMITIVES + key] = deleted
    if order:
        patch[ELEMENT_ORDER + key] = order


def _diff_lists(
    original: list[JSONValue], modified: list[JSONValue], type_: ValueType, wanted: _Wanted
) -> tuple[list[JSONValue], list[JSONValue], list[JSONValue]]:
    """The items to send, the primitives to delete, and the wanted order."""
    if not original:
        return (copy_json(modified) if wanted.changes else []), [], []
    if not any(isinstance(item, dict) for item in original + modified):
        return _diff_primitives(original, modified, wanted)
    key = type_.patch_merge_key
    patch, deletions = _diff_items(original, modified, key, type_.element(), wanted)
    position: dict[str, int] = {}
    for index, item in enumerate(modified):
        position.setdefault(_key_text(item, key), index)
    patch.sort(key=lambda item: position[_key_text(item, key)])
    same_order = [_key_text(item, key) for item in original] == [_key_text(item, key) for item in modified]
    patch += deletions
    needs_order = (wanted.changes and (bool(patch) or not same_order)) or (wanted.deletions and bool(patch))
    order = [{key: item[key]} for item in modified] if needs_order else []
    return patch, [], order


def _diff_primitives(
    original: list[JSONValue], modified: list[JSONValue], wanted: _Wanted
) -> tuple[list[JSONValue], list[JSONValue], list[JSONValue]]:
    added = [item for item in modified if item not in original] if wanted.changes else []
    deleted = [item for item in original if item not in modified] if wanted.deletions else []
    changed = wanted.changes and not json_equal(original, modified)
    order = list(modified) if changed or deleted else []
    return added, deleted, order


def _diff_items(
    original: list[JSONValue], modified: list[JSONValue], key: str, type_: ValueType, wanted: _Wanted
) -> tuple[list[JSONObject], list[JSONValue]]:
    """Walk both lists in the order of their merge keys, pairing equal ones one by one.

    Two items with one key in a list pair only with two items in the other, which is how duplicates get lost.
    Of items with one key the last comes first, as Go's sort leaves them.
    """
    olds, news = list(reversed(original)), list(reversed(modified))
    olds.sort(key=lambda item: _key_text(item, key))
    news.sort(key=lambda item: _key_text(item, key))
    patch: list[JSONObject] = []
    deletions: list[JSONValue] = []
    while olds or news:
        old_key = _key_text(olds[0], key) if olds else None
        new_key = _key_text(news[0], key) if news else None
        if old_key is not None and old_key == new_key:
            item = news.pop(0)
            difference = _diff_maps(olds.pop(0), item, type_, wanted)
            if difference:
                difference[key] = item[key]
                patch.append(difference)
        elif old_key is None or (new_key is not None and old_key > new_key):
            item = news.pop(0)
            if wanted.changes:
                patch.append(copy_json(item))
        else:
            item = olds.pop(0)
            if wanted.deletions:
                deletions.append({DIRECTIVE: "delete", key: item[key]})
    return patch, deletions


def _key_text(item: JSONValue, key: str) -> str:
    if not isinstance(item, dict):
        raise PatchError(f"expected a map in a list merged by {key}, got {item!r}")
    if key not in item:
        raise PatchError(f"map: {go_text(item)} does not contain declared merge key: {key}")
    value = item[key]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _look_up(type_: ValueType, key: str) -> ValueType | None:
    """The type of a field as Helm's compiled types know it."""
    below = type_.child(key)
    return None if below is not None and below.known_to == "server" else below


def _unknown_field(type_: ValueType, key: str) -> str:
    struct = type_.name.rpartition(".")[2] or "object"
    return f'unable to find api field in struct {struct} for the json field "{key}"'
