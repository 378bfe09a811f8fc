"""Which item of one list is which item of another."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from typing import TypeAlias

from helmguard.compare.equal_trees import same_tree
from helmguard.model.field_path import ItemKey
from helmguard.model.json_value import JSONObject, JSONValue

Pair: TypeAlias = tuple[int | None, int | None]

_LIKELY_KEYS: tuple[tuple[str, ...], ...] = (
    ("name",),
    ("mountPath",),
    ("containerPort", "protocol"),
    ("port", "protocol"),
    ("devicePath",),
    ("ip",),
    ("key", "effect"),
    ("key",),
    ("host",),
    ("path",),
    ("type",),
    ("id",),
)
"""Fields that usually name an item where no schema says so, most telling first."""

_DEFAULTS: dict[str, str] = {"protocol": "TCP"}
"""What the API server fills into key fields (core/v1 container and service ports)."""

_LONGEST_ALIGNED = 400
"""Above this many items in the differing middle, items are paired by position: alignment is quadratic."""


def choose_keys(
    before: Sequence[JSONValue], after: Sequence[JSONValue], known: tuple[str, ...]
) -> tuple[str, ...]:
    """The key fields under which every item of both lists is present once; empty where none fit."""
    items = [*before, *after]
    if not items or not all(isinstance(item, dict) for item in items):
        return ()
    for keys in (known, *_LIKELY_KEYS) if known else _LIKELY_KEYS:
        if _are_unique(before, keys) and _are_unique(after, keys):
            return keys
    return ()


def item_key(item: JSONObject, keys: tuple[str, ...]) -> ItemKey:
    """The step that leads to the item; lacking fields take the server's default or are left out."""
    fields = ((name, item.get(name, _DEFAULTS.get(name))) for name in keys)
    return ItemKey(tuple((name, value) for name, value in fields if value is not None))


def find_item(items: Sequence[JSONValue], key: ItemKey) -> JSONObject | None:
    """The first item that has the key's fields."""
    for item in items:
        if isinstance(item, dict) and all(
            item.get(name, _DEFAULTS.get(name)) == value for name, value in key.fields
        ):
            return item
    return None


def align(before: Sequence[JSONValue], after: Sequence[JSONValue]) -> list[Pair]:
    """Pairs of positions for lists without keys, in order; None on one side for added or removed items.

    Equal items stay together. Items between them are paired one to one as far as they go.
    """
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and same_tree(before[head], after[head]):
        head += 1
    tail = 0
    while tail < shorter - head and same_tree(before[-1 - tail], after[-1 - tail]):
        tail += 1
    pairs: list[Pair] = [(index, index) for index in range(head)]
    pairs += _align_middle(before, after, head, len(before) - tail, len(after) - tail)
    pairs += [(len(before) - tail + index, len(after) - tail + index) for index in range(tail)]
    return pairs


def _align_middle(
    before: Sequence[JSONValue], after: Sequence[JSONValue], start: int, before_end: int, after_end: int
) -> list[Pair]:
    before_size, after_size = before_end - start, after_end - start
    if before_size == after_size or max(before_size, after_size) > _LONGEST_ALIGNED:
        return _pair_by_position(start, before_end, start, after_end)
    matcher = difflib.SequenceMatcher(
        None, _texts(before[start:before_end]), _texts(after[start:after_end]), autojunk=False
    )
    pairs: list[Pair] = []
    for _, left, left_end, right, right_end in matcher.get_opcodes():
        pairs += _pair_by_position(start + left, start + left_end, start + right, start + right_end)
    return pairs


def _pair_by_position(left: int, left_end: int, right: int, right_end: int) -> list[Pair]:
    common = min(left_end - left, right_end - right)
    pairs: list[Pair] = [(left + index, right + index) for index in range(common)]
    pairs += [(index, None) for index in range(left + common, left_end)]
    pairs += [(None, index) for index in range(right + common, right_end)]
    return pairs


def _texts(items: Sequence[JSONValue]) -> list[str]:
    return [json.dumps(item, sort_keys=True) for item in items]


def _are_unique(items: Sequence[JSONValue], keys: tuple[str, ...]) -> bool:
    seen = set()
    for item in items:
        if keys[0] not in item:
            return False
        key = tuple(item.get(name, _DEFAULTS.get(name)) for name in keys)
        if any(isinstance(value, dict | list) for value in key) or key in seen:
            return False
        seen.add(key)
    return True
