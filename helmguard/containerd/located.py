"""A configuration file as a tree whose leaves know where they stand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from helmguard.containerd.toml_places import KeyPath, TomlPlace, toml_places
from helmguard.model.containerd_settings import ConfigPlace


class Leaf:
    """A value that is no table: text, number, boolean, date, or a list (of tables, too), and where it stands.

    ``path`` is its path in its own file. Leaves are told apart by identity: equal ones are not the same
    setting.
    """

    __slots__ = ("path", "place", "value")

    def __init__(self, value: Any, path: KeyPath, place: ConfigPlace) -> None:
        self.value, self.path, self.place = value, path, place


class Table(dict[str, "Leaf | Table"]):
    """A table; ``place`` is where it is first named."""

    __slots__ = ("path", "place")

    def __init__(self, path: KeyPath = (), place: ConfigPlace | None = None) -> None:
        super().__init__()
        self.path, self.place = path, place or ConfigPlace()

    def leaves(self) -> Iterator[Leaf]:
        """Every value below it, in the file's order."""
        for item in self.values():
            if isinstance(item, Table):
                yield from item.leaves()
            else:
                yield item

    def table(self, name: str) -> Table | None:
        """The table of this name, None where there is none or something else."""
        found = self.get(name)
        return found if isinstance(found, Table) else None

    def plain(self) -> dict[str, Any]:
        """The values alone."""
        return {name: plain(item) for name, item in self.items()}


Node: TypeAlias = Leaf | Table


def plain(node: Node) -> Any:
    """The values of a node without their places."""
    return node.plain() if isinstance(node, Table) else node.value


class TomlError(Exception):
    """A text that is no TOML; ``line`` is 0 where it is not known."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


def read_located(text: str, file: str) -> Table:
    """The text of a file as a tree.

    Raises:
        TomlError: it is no TOML 1.0.
    """
    try:
        values = tomllib.loads(text)
        places = toml_places(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(*_reason(error, text)) from None
    except RecursionError:
        raise TomlError("nested too deeply") from None
    if _has_surrogates(text):
        raise TomlError("not UTF-8")
    return _table(values, (), file, places)


def _table(values: Mapping[str, Any], path: KeyPath, file: str, places: Mapping[KeyPath, TomlPlace]) -> Table:
    table = Table(path, _place(path, file, places))
    for name, value in values.items():
        below = (*path, name)
        if isinstance(value, dict):
            table[name] = _table(value, below, file, places)
        else:
            table[name] = Leaf(value, below, _place(below, file, places))
    return table


def _place(path: KeyPath, file: str, places: Mapping[KeyPath, TomlPlace]) -> ConfigPlace:
    found = places.get(path)
    return ConfigPlace(file, found.line if found else 0)


def _has_surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _reason(error: tomllib.TOMLDecodeError, text: str) -> tuple[str, int]:
    """tomllib says ``Invalid value (at line 3, column 1)`` or ``... (at end of document)``."""
    message, _, position = str(error).rpartition(" (at ")
    words = position.rstrip(")").replace(",", "").split()
    line = int(words[1]) if len(words) > 1 and words[1].isdigit() else text.count("\n") + 1
    return (message or str(error)), line
