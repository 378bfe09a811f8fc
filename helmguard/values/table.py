"""Values as Helm holds them while it merges: tables that remember where each key came from.

Scalars are plain Python values. A Python int stands for Go's int64 and a float for float64, so that the
type survives as Helm's does: only ``--set`` makes int64; files, chart defaults and stored records are
float64.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from helmguard.errors import ValuesError
from helmguard.manifest.numbers import json_number
from helmguard.values.file_origin import Origin

ValuePath: TypeAlias = tuple[str | int, ...]
OriginOf: TypeAlias = Callable[[ValuePath], Origin]


MAX_DEPTH = 200
"""Levels of tables and lists; far more than charts have, and few enough for Python's stack."""


class Table(dict[str, Any]):
    """A map of values. ``origins`` holds where each key's value came from, ``removed`` which null took a key.

    It behaves as Go's map does under sharing: merging puts references into the result, and a later step
    that changes a shared table changes it everywhere. Use `copy_tree` where Helm copies.
    """

    __slots__ = ("origins", "removed")

    def __init__(self) -> None:
        super().__init__()
        self.origins: dict[str, Origin] = {}
        self.removed: dict[str, Origin] = {}

    def put(self, key: str, value: Any, origin: Origin | None) -> None:
        """Set a key and remember where its value came from."""
        self[key] = value
        self.removed.pop(key, None)
        if origin is not None:
            self.origins[key] = origin

    def take(self, source: Table, key: str) -> None:
        """Set a key to the very value (not a copy) that another table has under it."""
        self.put(key, source[key], source.origins.get(key))

    def remove_by_null(self, key: str) -> None:
        """Delete a key that a null asked to delete, and remember the null."""
        del self[key]
        origin = self.origins.get(key)
        if origin is not None:
            self.removed[key] = origin

    def shallow_copy(self) -> Table:
        """The same values under the same keys in a table of its own."""
        copied = Table.__new__(Table)
        copied.update(self)
        copied.origins = self.origins.copy()
        copied.removed = self.removed.copy()
        return copied


def is_table(value: Any) -> bool:
    """Whether Helm would merge into the value."""
    return isinstance(value, Table)


def copy_tree(value: Any) -> Any:
    """A copy in which nothing is shared, not even what the original shares within itself."""
    if isinstance(value, Table):
        copied = value.shallow_copy()
        for key, item in value.items():
            if isinstance(item, (Table, list)):
                copied[key] = copy_tree(item)
        return copied
    if isinstance(value, list):
        return [copy_tree(item) if isinstance(item, (Table, list)) else item for item in value]
    return value


def tables_from(value: Any, origin_of: OriginOf, path: ValuePath = ()) -> Any:
    """Tables out of plain maps as parsed from JSON or YAML; integers become float64 as in Go's JSON.

    Raises:
        ValuesError: nested deeper than `MAX_DEPTH`.
    """
    if len(path) > MAX_DEPTH:
        raise ValuesError(
            f"values nested deeper than {MAX_DEPTH} levels, which helmguard does not follow",
            remedy="nest the values less deeply",
        )
    if isinstance(value, Mapping):
        table = Table()
        for key, item in value.items():
            item_path = (*path, key)
            table[key] = tables_from(item, origin_of, item_path)
            table.origins[key] = origin_of(item_path)
        return table
    if isinstance(value, list):
        return [tables_from(item, origin_of, (*path, index)) for index, item in enumerate(value)]
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


def to_plain(value: Any) -> Any:
    """Plain dictionaries and lists, sharing nothing with the tables; numbers keep their type."""
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [to_plain(item) for item in value]
    return value


def to_json(value: Any) -> Any:
    """As `to_plain`, but whole numbers as integers: what Helm's JSON shows (``8080``, not ``8080.0``)."""
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        # Beyond 2^53 Go writes the shortest digits that name the number, filled up with zeros.
        return int(value) if abs(value) <= 2**53 else int(json_number(value))
    return value


def merge_maps(low: Table, high: Table) -> Table:
    """A new table with ``high`` laid over ``low``, maps deep; nulls are values (helm pkg/cli/values)."""
    merged = low.shallow_copy()
    for key, value in high.items():
        lower = merged.get(key)
        if isinstance(value, Table) and isinstance(lower, Table):
            merged[key] = merge_maps(lower, value)
            continue
        merged.take(high, key)
    return merged
