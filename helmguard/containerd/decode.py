"""Decodes TOML into the types that containerd has for it, as its two TOML libraries do.

``github.com/pelletier/go-toml`` 1.9.5 (containerd 1.x) and ``go-toml/v2`` 2.2.4 and 2.3.0 (containerd 2.x):
which key is which field, what fits which type, what replaces a default and what is merged into it.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from helmguard.containerd.fates import Fates
from helmguard.containerd.located import Leaf, Node, Table, plain
from helmguard.containerd.schema import Shape
from helmguard.containerd.toml_places import KeyPath

Dialect = Literal["v1", "v2"]

_RANGES = {
    "int": (-(2**63), 2**63 - 1),
    "uint8": (0, 2**8 - 1),
    "uint32": (0, 2**32 - 1),
}


class WrongTypeError(Exception):
    """A value that does not fit its field; ``node`` is the value."""

    def __init__(self, path: KeyPath, node: Node, wanted: str) -> None:
        super().__init__(
            f"toml: cannot decode TOML {kind_of(plain(node))} into {'.'.join(path)} of type {wanted}"
        )
        self.path, self.node = path, node


class Decoded:
    """``values`` has defaults filled in; ``leaves`` are those that made it, by the path in the decoded type.

    ``unknown`` are the keys that the type does not have, as containerd logs them: each table, and each key
    that is not below one of these.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.leaves: dict[KeyPath, Leaf] = {}
        self.tables: dict[KeyPath, Table] = {}
        self.unknown: list[KeyPath] = []


def decode(
    table: Table, shape: Shape, defaults: Mapping[str, Any], dialect: Dialect, fates: Fates | None = None
) -> Decoded:
    """A plugin's table, or a whole file, as its type.

    Raises:
        WrongTypeError: a value does not fit.
    """
    decoder = _Decoder(dialect, fates)
    decoder.out.values = decoder.fields(table, shape["fields"], defaults, ())
    if dialect == "v2" and decoder.out.unknown and decoder.arrays_of_tables:
        # For unknown keys containerd decodes once more, into what it has by then; go-toml/v2 panics there, as
        # it cannot set an array of tables within a map anew.
        path, node = decoder.arrays_of_tables[0]
        raise WrongTypeError(path, node, "map")
    return decoder.out


class _Decoder:
    def __init__(self, dialect: Dialect, fates: Fates | None) -> None:
        self.out = Decoded()
        self.arrays_of_tables: list[tuple[KeyPath, Node]] = []
        self._first = dialect == "v1"
        self._fates = fates

    def fields(
        self, table: Table, fields: Mapping[str, Shape], defaults: Mapping[str, Any], path: KeyPath
    ) -> dict[str, Any]:
        values = dict(defaults)
        named = dict(self._named(table, fields))
        for key in table if self._first else sorted(table, key=_written_order(table)):
            node = table[key]
            name = named.get(key)
            if name is None:
                self._unknown(node, (*path, key))
                continue
            values[name] = self._value(node, fields[name], values.get(name), (*path, name))
        return values

    def _named(self, table: Table, fields: Mapping[str, Shape]) -> Iterator[tuple[str, str]]:
        """The keys that are fields, with the fields' names."""
        if self._first:
            for name in fields:
                tries = (name, name.lower(), name.upper(), name[0].lower() + name[1:])
                found = next((key for key in tries if key in table), None)
                if found is not None:
                    yield found, name
            return
        lower = {name.lower(): name for name in fields}
        for key in table:
            name = key if key in fields else lower.get(key.lower(), "")
            if name:
                yield key, name

    def _value(self, node: Node, shape: Shape, default: Any, path: KeyPath) -> Any:
        if isinstance(node, Table):
            return self._table(node, shape, default, path)
        self.out.leaves[path] = node
        if self._fates is not None:
            self._fates.holds(node)
        if shape == "any" and not self._first and default is not None and _is_array_of_tables(node.value):
            raise WrongTypeError(path, node, kind_of(default))
        return self._plain(node.value, shape, node, path)

    def _table(self, table: Table, shape: Shape, default: Any, path: KeyPath) -> Any:
        self.out.tables[path] = table
        if isinstance(shape, dict) and "fields" in shape:
            return self.fields(table, shape["fields"], default or {}, path)
        if isinstance(shape, dict) and "map" in shape:
            found = {} if self._first else dict(default or {})
            for key, node in table.items():
                found[key] = self._value(node, shape["map"], found.get(key), (*path, key))
            return found
        if shape == "any":
            if not self._first and default is not None and not isinstance(default, dict):
                if table:
                    raise WrongTypeError(path, table, kind_of(default))  # "unhandled kv part"
                return default
            found = dict(default) if isinstance(default, dict) and not self._first else {}
            for key, node in table.items():
                found[key] = self._value(node, "any", found.get(key), (*path, key))
            return found
        if self._first or table or (isinstance(shape, dict) and not default):
            raise WrongTypeError(path, table, _go_type(shape))
        return default

    def _plain(self, value: Any, shape: Shape, node: Node, path: KeyPath) -> Any:
        if shape == "any":
            if _is_array_of_tables(value):
                self.arrays_of_tables.append((path, node))
            return value
        if isinstance(shape, dict):
            if isinstance(value, list) and "list" in shape and not _are_tables(value):
                return [self._plain(item, shape["list"], node, path) for item in value]
            raise WrongTypeError(path, node, _go_type(shape))
        if not _fits(value, shape):
            raise WrongTypeError(path, node, _go_type(shape))
        return value

    def _unknown(self, node: Node, path: KeyPath) -> None:
        if self._fates is not None:
            self._fates.lost(node, "unknown")
        self._tell_unknown(node, path)

    def _tell_unknown(self, node: Node, path: KeyPath) -> None:
        self.out.unknown.append(path)
        if isinstance(node, Table):
            for key, item in node.items():
                if isinstance(item, Table):
                    self._tell_unknown(item, (*path, key))


def _written_order(table: Table) -> Any:
    """go-toml/v2 writes a map's values by name, then its tables."""
    return lambda key: (isinstance(table[key], Table), key)


def _is_array_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _are_tables(value: list[Any]) -> bool:
    return any(isinstance(item, dict) for item in value)


def _fits(value: Any, shape: str) -> bool:
    if shape == "bool":
        return isinstance(value, bool)
    if shape == "string":
        return isinstance(value, str)
    low, high = _RANGES[shape]
    return type(value) is int and low <= value <= high


def _go_type(shape: Shape) -> str:
    if isinstance(shape, str):
        return shape
    if "list" in shape:
        return f"[]{_go_type(shape['list'])}"
    return "map" if "map" in shape else "struct"


def kind_of(value: Any) -> str:
    """What TOML calls a value."""
    if isinstance(value, dict):
        return "table"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, datetime.date | datetime.time):
        return "date"
    return {str: "string", int: "integer", float: "float", list: "array"}.get(type(value), "value")
