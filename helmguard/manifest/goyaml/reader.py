"""The characters of a text, one after the other, with the bounds Go's reader has.

Go decodes 512 bytes at a time, so a bad byte only matters once scanning comes near it, and its check for a
byte order mark looks at the first character of that window, not at the current one. Both show in results.

Source: go.yaml.in/yaml v2.4.2 readerc.go.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from helmguard.manifest.goyaml.error import YAMLError

_WINDOW = 512
_BOM = "\ufeff"
_REFUSED = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

BREAKS = "\r\n\x85\u2028\u2029"
END = "\0"


class Mark(msgspec.Struct, frozen=True):
    """A place in the text; all three count characters and lines from 0."""

    index: int
    line: int
    column: int


class Reader:
    """A cursor over decoded text. Past the end every character is ``END``."""

    def __init__(self, data: bytes) -> None:
        self.index = 0
        self.line = 0
        self.column = 0
        self._decoded = _decode(data)
        self._text = self._decoded.text + END * 8
        self._windows = iter(self._decoded.window_ends)
        self._window_start = 0
        self._window_end = next(self._windows, 0)
        self._has_bom = _BOM in self._text
        self.need(1)

    @property
    def mark(self) -> Mark:
        """The current place."""
        return Mark(self.index, self.line, self.column)

    def peek(self, ahead: int = 0) -> str:
        """The character ``ahead`` of the current one (at most 4)."""
        return self._text[self.index + ahead]

    def startswith(self, prefix: str) -> bool:
        """Whether the text goes on with ``prefix``."""
        return self._text.startswith(prefix, self.index)

    def match(self, pattern: re.Pattern[str]) -> str:
        """What ``pattern`` matches here; empty when it does not."""
        found = pattern.match(self._text, self.index)
        return found.group() if found else ""

    def need(self, count: int) -> None:
        """Make sure the next ``count`` characters are decoded.

        Raises:
            YAMLError: a byte in the window that would be read is no character YAML allows.
        """
        wanted = self.index + count
        if wanted <= self._window_end:
            return
        self._window_start = self.index
        while self._window_end < wanted:
            end = next(self._windows, None)
            if end is None:
                break
            self._window_end = end
        if self._window_end < wanted and self._decoded.problem:
            before = re.split(f"\r\n|[{BREAKS}]", self._decoded.text + self._decoded.before_problem)
            raise YAMLError(f"yaml: {self._decoded.problem}", line=len(before), column=len(before[-1]) + 1)

    def window_starts_with_bom(self) -> bool:
        """Go's check for a byte order mark, which ignores where the cursor stands."""
        return self._has_bom and self._text[self._window_start] == _BOM

    def skip(self, count: int = 1) -> None:
        """Pass ``count`` characters that are no line breaks."""
        self.index += count
        self.column += count
        self.need(1)

    def take(self, pattern: re.Pattern[str]) -> str:
        """Pass and return what ``pattern`` matches; it must not match line breaks."""
        text = self.match(pattern)
        if text:
            self.skip(len(text))
        return text

    def take_break(self) -> str:
        """Pass one line break; returns what it counts as in a scalar: LS, PS, or a line feed."""
        character = self.peek()
        self.index += 2 if self.startswith("\r\n") else 1
        self.line += 1
        self.column = 0
        self.need(1)
        return character if character in "\u2028\u2029" else "\n"


class _Decoded(NamedTuple):
    text: str
    window_ends: list[int]
    problem: str  # what is wrong after the last window; empty when nothing is
    before_problem: str  # the characters between the last window and the fault


def _decode(data: bytes) -> _Decoded:
    """All windows up to the first that holds a fault."""
    encoding = "utf-8"
    start = 0
    if data.startswith(b"\xff\xfe"):
        encoding, start = "utf-16-le", 2
    elif data.startswith(b"\xfe\xff"):
        encoding, start = "utf-16-be", 2
    elif data.startswith(b"\xef\xbb\xbf"):
        start = 3

    parts: list[str] = []
    ends: list[int] = []
    length = 0
    end = _WINDOW
    while start < len(data):
        window = data[start:end]
        text, problem = _decode_window(window, encoding)
        incomplete = problem.startswith("incomplete")
        if problem and not incomplete:
            return _Decoded("".join(parts), ends, problem, text)
        parts.append(text)
        length += len(text)
        ends.append(length)
        if incomplete and end >= len(data):
            return _Decoded("".join(parts), ends, problem, "")
        start += len(text.encode(encoding))
        end = start + _WINDOW
    return _Decoded("".join(parts), ends, "", "")


def _decode_window(window: bytes, encoding: str) -> tuple[str, str]:
    """The characters of one window up to its fault, and the fault: nothing, or Go's words for it."""
    problem = ""
    try:
        text = window.decode(encoding)
    except UnicodeDecodeError as error:
        text = window[: error.start].decode(encoding)
        rest = window[error.start :]
        problem = _utf8_fault(rest) if encoding == "utf-8" else _utf16_fault(rest, encoding)
    refused = _REFUSED.search(text)
    if refused:
        return text[: refused.start()], "control characters are not allowed"
    return text, problem


def _utf8_fault(rest: bytes) -> str:
    """What is wrong with the bytes at the start of ``rest``, in Go's words."""
    first = rest[0]
    if first & 0xE0 == 0xC0:
        width = 2
    elif first & 0xF0 == 0xE0:
        width = 3
    elif first & 0xF8 == 0xF0:
        width = 4
    else:
        return "invalid leading UTF-8 octet"
    if width > len(rest):
        return "incomplete UTF-8 octet sequence"
    value = first & (0x7F >> width)
    for octet in rest[1:width]:
        if octet & 0xC0 != 0x80:
            return "invalid trailing UTF-8 octet"
        value = value << 6 | octet & 0x3F
    if value < (0x80, 0x800, 0x10000)[width - 2]:
        return "invalid length of a UTF-8 sequence"
    return "invalid Unicode character"


def _utf16_fault(rest: bytes, encoding: str) -> str:
    if len(rest) < 2:
        return "incomplete UTF-16 character"
    unit = int.from_bytes(rest[:2], "little" if encoding.endswith("le") else "big")
    if unit & 0xFC00 == 0xDC00:
        return "unexpected low surrogate area"
    return "incomplete UTF-16 surrogate pair" if len(rest) < 4 else "expected low surrogate area"
