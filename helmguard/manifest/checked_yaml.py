"""YAML files that people write for helmguard, read field by field; each complaint has its line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from helmguard.manifest import yaml
from helmguard.model.json_value import JSONValue

Path = tuple[str | int, ...]

_GO_WORDS = re.compile(r"^yaml: |unmarshal errors:\n\s*|line \d+: ")
_DOCUMENT = re.compile(r"^---(\s|$)", re.MULTILINE)


class FieldError(Exception):
    """What is wrong with a file, and where; ``line`` and ``column`` count from 1, 0 where not known."""

    def __init__(self, message: str, file: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message, self.file, self.line, self.column = message, file, line, column

    def __str__(self) -> str:
        return ":".join(
            [*(str(part) for part in (self.file, self.line, self.column) if part), f" {self.message}"]
        )


class Mapping:
    """One map of a file. Each getter takes a field out; ``finish`` complains about those that nobody took."""

    def __init__(
        self, value: JSONValue, file: str, positions: dict[Path, tuple[int, int]], path: Path
    ) -> None:
        self.file, self.path = file, path
        self._positions = positions
        self._taken: set[str] = set()
        if not isinstance(value, dict):
            raise self.error(f"{_called(path)} must be a map, not {_type(value)}")
        self.value = value

    def error(self, message: str, *steps: str | int) -> FieldError:
        """A complaint about this map, or about what stands under ``steps`` in it."""
        line, column = self.place(*steps)
        return FieldError(message, self.file, line, column)

    def place(self, *steps: str | int) -> tuple[int, int]:
        """Line and column of what stands under ``steps``, else of the nearest thing around it."""
        path = (*self.path, *steps)
        while path and path not in self._positions:
            path = path[:-1]
        return self._positions.get(path, (0, 0))

    def has(self, name: str) -> bool:
        return name in self.value

    def any(self, name: str, default: JSONValue = None) -> JSONValue:
        """The field's value, whatever it is."""
        self._taken.add(name)
        return self.value.get(name, default)

    def text(self, name: str, default: str | None = None) -> str:
        """A text; without ``default`` the field is required and must not be empty."""
        value = self.any(name, default)
        if value is None:
            raise self.error(f"{_called(self.path)} lacks {name!r}")
        if not isinstance(value, str):
            raise self.error(f"{name!r} must be text, not {_type(value)}: quote it", name)
        if not value and default is None:
            raise self.error(f"{name!r} is empty", name)
        return value

    def choice(self, name: str, words: tuple[str, ...], default: str | None = None) -> Any:
        """One of some words."""
        value = self.text(name, default)
        if value not in words:
            raise self.error(f"{name!r} must be one of {', '.join(words)}, not {value!r}", name)
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.any(name, default)
        if not isinstance(value, bool):
            raise self.error(f"{name!r} must be true or false, not {_type(value)}", name)
        return value

    def items(self, name: str) -> list[JSONValue]:
        """A list, empty where the field is absent."""
        value = self.any(name, [])
        if not isinstance(value, list):
            raise self.error(f"{name!r} must be a list, not {_type(value)}", name)
        return value

    def texts(self, name: str, *, or_one: bool = False) -> list[str]:
        """A list of texts; with ``or_one`` a single text does too."""
        if or_one and isinstance(self.value.get(name), str):
            return [self.text(name, "")]
        for index, item in enumerate(self.items(name)):
            if not isinstance(item, str):
                raise self.error(f"items of {name!r} must be text, not {_type(item)}", name, index)
        return [str(item) for item in self.items(name)]

    def map(self, name: str) -> Mapping | None:
        """A map inside, None where the field is absent."""
        if self.any(name) is None:
            return None
        return Mapping(self.value[name], self.file, self._positions, (*self.path, name))

    def inner(self, name: str, index: int) -> Mapping:
        """The map at a place of a list."""
        return Mapping(self.items(name)[index], self.file, self._positions, (*self.path, name, index))

    def maps(self, name: str) -> Iterator[Mapping]:
        """The maps of a list."""
        for index in range(len(self.items(name))):
            yield self.inner(name, index)

    def finish(self) -> None:
        """Complains about the first field that no getter took."""
        for name in self.value:
            if name not in self._taken:
                near = get_close_matches(str(name), self._taken, 1)
                hint = (
                    f"; did you mean {near[0]!r}?"
                    if near
                    else f"; known are {', '.join(sorted(self._taken))}"
                )
                raise self.error(f"unknown field {name!r}{hint}", name)


def read_checked(text: str, file: str) -> Mapping:
    """The file's only document. A key may not stand twice in a map: Go keeps the last and says nothing.

    Raises:
        FieldError: it is no YAML, or no map, or there are several documents.
    """
    try:
        value, positions = yaml.load_with_positions(text, strict=True)
    except yaml.YAMLError as error:
        raise FieldError(_GO_WORDS.sub("", str(error)), file, error.line, error.column) from None
    refuse_second_document(text, file)
    return Mapping(value, file, positions, ())


def refuse_second_document(text: str, file: str) -> None:
    """Raises ``FieldError`` where another document begins, which would go unread."""
    marks = [mark for mark in _DOCUMENT.finditer(text) if _says_something(text[: mark.start()])]
    if marks:
        line = text.count("\n", 0, marks[0].start()) + 1
        raise FieldError("the file must be one document; this begins another", file, line, 1)


def _says_something(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith(("#", "%", "---")) for line in text.split("\n"))


def _called(path: Path) -> str:
    return ".".join(str(step) for step in path) if path else "the file"


def _type(value: JSONValue) -> str:
    names = {dict: "a map", list: "a list", str: "text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
