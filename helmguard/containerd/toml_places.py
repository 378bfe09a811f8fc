"""Where each key of a TOML text stands: ``tomllib`` reads the values, and does not tell.

Grammar: TOML 1.0 (toml.io). Nothing is judged here: what is no TOML ends the reading, and what was found
before is given.
"""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Mapping

import msgspec

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_LINE_END = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\r?\n|$)")
_PLAIN_VALUE = re.compile(r"[^,\]}#\r\n]+")
_STRINGS = (
    re.compile(r'"""(?:\\[\s\S]|[^\\])*?"{3,5}'),
    re.compile(r"'''[\s\S]*?'{3,5}"),
    re.compile(r'"(?:\\[^\n]|[^"\\\n])*"'),
    re.compile(r"'[^'\n]*'"),
)

KeyPath = tuple[str, ...]


class TomlPlace(msgspec.Struct, frozen=True):
    """A key's line (from 1) and the characters of its value; a table's header has none (``start == end``)."""

    line: int
    start: int
    end: int


class _NoTomlError(Exception):
    pass


def toml_places(text: str) -> Mapping[KeyPath, TomlPlace]:
    """Every table and key by its path; items of arrays of tables by their index as text (from 0).

    Tables that are only named on the way to others have the line of the first header or key that names them.
    """
    reader = _Reader(text)
    with contextlib.suppress(_NoTomlError, RecursionError):
        reader.read()
    return reader.places


class _Reader:
    def __init__(self, text: str) -> None:
        self.places: dict[KeyPath, TomlPlace] = {}
        self._text = text
        self._at = 0
        self._counts: dict[KeyPath, int] = {}
        self._line, self._line_at = 1, 0

    def read(self) -> None:
        prefix: KeyPath = ()
        while True:
            self._skip(_GAP)
            if self._at >= len(self._text):
                return
            if self._text[self._at] == "[":
                prefix = self._header()
            else:
                self._pair(prefix)
            if not self._skip(_LINE_END):
                raise _NoTomlError

    def _header(self) -> KeyPath:
        line = self._line_of(self._at)
        opening = "[[" if self._text.startswith("[[", self._at) else "["
        self._at += len(opening)
        path = self._inside_items(self._key())
        self._expect("]" * len(opening))
        if opening == "[[":
            index = self._counts.get(path, 0)
            self._counts[path] = index + 1
            self._tell(path, TomlPlace(line, self._at, self._at))
            path = (*path, str(index))
        self._tell(path, TomlPlace(line, self._at, self._at))
        return path

    def _inside_items(self, key: KeyPath) -> KeyPath:
        """The key with the index of the last item behind each part that is an array of tables."""
        path: KeyPath = ()
        for part in key[:-1]:
            path = (*path, part)
            if path in self._counts:
                path = (*path, str(self._counts[path] - 1))
        return (*path, key[-1])

    def _pair(self, prefix: KeyPath) -> None:
        line = self._line_of(self._at)
        path = (*prefix, *self._key())
        self._expect("=")
        self._skip(_BLANK)
        start = self._at
        self._value(path)
        self._tell(path, TomlPlace(line, start, self._at))

    def _key(self) -> KeyPath:
        parts: list[str] = []
        while True:
            self._skip(_BLANK)
            parts.append(self._key_part())
            self._skip(_BLANK)
            if not self._text.startswith(".", self._at):
                return tuple(parts)
            self._at += 1

    def _key_part(self) -> str:
        bare = _BARE.match(self._text, self._at)
        if bare:
            self._at = bare.end()
            return bare.group()
        for pattern in _STRINGS[2:]:
            quoted = pattern.match(self._text, self._at)
            if quoted:
                self._at = quoted.end()
                return _unquoted(quoted.group())
        raise _NoTomlError

    def _value(self, path: KeyPath) -> None:
        first = self._text[self._at : self._at + 1]
        if first == "[":
            self._array(path)
        elif first == "{":
            self._inline_table(path)
        elif first in ('"', "'"):
            if not any(self._skip(pattern) for pattern in _STRINGS):
                raise _NoTomlError
        else:
            plain = _PLAIN_VALUE.match(self._text, self._at)
            if plain is None:
                raise _NoTomlError
            self._at = self._at + len(plain.group().rstrip())

    def _array(self, path: KeyPath) -> None:
        self._at += 1
        index = 0
        while True:
            self._skip(_GAP)
            if self._text.startswith("]", self._at):
                self._at += 1
                return
            self._value((*path, str(index)))
            index += 1
            self._skip(_GAP)
            if self._text.startswith(",", self._at):
                self._at += 1
            elif not self._text.startswith("]", self._at):
                raise _NoTomlError

    def _inline_table(self, path: KeyPath) -> None:
        self._at += 1
        while True:
            self._skip(_GAP)
            if self._text.startswith("}", self._at):
                self._at += 1
                return
            self._pair(path)
            self._skip(_GAP)
            if self._text.startswith(",", self._at):
                self._at += 1
            elif not self._text.startswith("}", self._at):
                raise _NoTomlError

    def _tell(self, path: KeyPath, place: TomlPlace) -> None:
        for length in range(1, len(path)):
            self.places.setdefault(path[:length], TomlPlace(place.line, place.end, place.end))
        known = self.places.get(path)
        if known is None or known.start == known.end:
            self.places[path] = place

    def _expect(self, token: str) -> None:
        if not self._text.startswith(token, self._at):
            raise _NoTomlError
        self._at += len(token)

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        found = pattern.match(self._text, self._at)
        if found is None:
            return False
        self._at = found.end()
        return True

    def _line_of(self, position: int) -> int:
        self._line += self._text.count("\n", self._line_at, position)
        self._line_at = position
        return self._line


def _unquoted(quoted: str) -> str:
    if "\\" not in quoted or quoted.startswith("'"):
        return quoted[1:-1]
    try:
        found = tomllib.loads(f"k = {quoted}")["k"]
    except tomllib.TOMLDecodeError:
        raise _NoTomlError from None
    return str(found)
