"""Regular expressions as Go reads them (RE2 syntax), rewritten for Python's ``re``.

Go knows no look-around and no back references, and refuses a schema that uses them; its classes are ASCII,
and ``$`` is the very end of the text.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache

_CLASSES = {
    "d": "0-9",
    "w": "0-9A-Za-z_",
    "s": "\\t\\n\\f\\r ",
}
_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": "\\x00-\\x7f",
    "blank": "\\t ",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\t\\n\\v\\f\\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
_KEPT_ESCAPES = frozenset("afnrtv")
_MAX_REPEAT = 1000


class PatternError(ValueError):
    """A pattern that Go refuses (``refused``), or that cannot be rewritten for Python."""

    def __init__(self, message: str, *, refused: bool = True) -> None:
        super().__init__(message)
        self.refused = refused


@lru_cache(maxsize=512)
def python_pattern(pattern: str) -> re.Pattern[str]:
    """The pattern compiled for Python's ``search``, with Go's meaning.

    Raises:
        PatternError: Go refuses the pattern, or it uses something that Python cannot say.
    """
    rewritten = _Rewriter(pattern).rewrite()
    try:
        return re.compile(rewritten)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"error parsing regexp: {error}: `{pattern}`") from None


class _Rewriter:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.position = 0
        self.parts: list[str] = []

    def rewrite(self) -> str:
        multi_line = re.search(r"\(\?[a-zA-Z]*m", self.pattern) is not None
        after_repeat = False
        while self.position < len(self.pattern):
            character = self.pattern[self.position]
            if character in "*+?" or (repeat := self.counted_repeat()):
                text = character if character in "*+?" else repeat
                if after_repeat and text != "?":
                    raise PatternError(
                        f"error parsing regexp: invalid nested repetition operator: `{self.pattern}`"
                    )
                after_repeat = True
                self.position += len(text)
                self.parts.append(text)
                if text != "?" and self.pattern[self.position : self.position + 1] == "?":
                    self.parts.append("?")
                    self.position += 1
                continue
            after_repeat = False
            if character == "\\":
                self.escape()
            elif character == "[":
                self.character_class()
            elif character == "(":
                self.group()
            else:
                self.position += 1
                if character == "$" and not multi_line:
                    character = "\\Z"
                elif character in "{}]":
                    character = "\\" + character
                self.parts.append(character)
        return "".join(self.parts)

    def counted_repeat(self) -> str:
        match = re.compile(r"\{(\d+)(,(\d*))?\}", re.ASCII).match(self.pattern, self.position)
        if match is None:
            return ""
        if max(int(match.group(1)), int(match.group(3) or 0)) > _MAX_REPEAT:
            raise PatternError(f"error parsing regexp: invalid repeat count: `{match.group(0)}`")
        return match.group(0)

    def group(self) -> None:
        rest = self.pattern[self.position :]
        if rest.startswith("(?"):
            if rest[2:3] in ("=", "!") or rest[:4] in ("(?<=", "(?<!"):
                shown = rest[:3] if rest[2] != "<" else rest[:4]
                raise PatternError(f"error parsing regexp: invalid or unsupported Perl syntax: `{shown}`")
            named = re.match(r"\(\?P?<([A-Za-z0-9_]+)>", rest)
            if named is not None:
                self.parts.append("(")
                self.position += named.end()
                return
            flags = re.match(r"\(\?([imsU]*)(?:-([imsU]+))?([:)])", rest)
            if flags is None:
                raise PatternError(f"error parsing regexp: invalid or unsupported Perl syntax: `{rest[:3]}`")
            self.flags(flags)
            return
        self.parts.append("(")
        self.position += 1

    def flags(self, match: re.Match[str]) -> None:
        on, off, end = match.group(1), match.group(2) or "", match.group(3)
        if "U" in on + off:
            raise PatternError("ungreedy patterns cannot be checked", refused=False)
        if end == ")" and (self.position or off):
            raise PatternError("flags inside a pattern cannot be checked", refused=False)
        if end == ")":
            self.parts.append(f"(?{on})" if on else "")
        else:
            self.parts.append(f"(?{on}{'-' + off if off else ''}:")
        self.position += match.end()

    def escape(self) -> None:
        letter = self.pattern[self.position + 1 : self.position + 2]
        self.position += 2
        if letter == "":
            raise PatternError("error parsing regexp: trailing backslash at end of expression: ``")
        if letter.lower() in _CLASSES:
            self.parts.append(f"[{'^' if letter.isupper() else ''}{_CLASSES[letter.lower()]}]")
        elif letter in "bB":
            self.parts.append(f"(?a:\\{letter})")
        elif letter == "A":
            self.parts.append("\\A")
        elif letter == "z":
            self.parts.append("\\Z")
        elif letter == "Q":
            end = self.pattern.find("\\E", self.position)
            literal = self.pattern[self.position :] if end < 0 else self.pattern[self.position : end]
            self.position = len(self.pattern) if end < 0 else end + 2
            self.parts.append(re.escape(literal))
        elif letter in "pP":
            self.parts.append(f"[{'^' if letter == 'P' else ''}{self.unicode_class()}]")
        else:
            self.parts.append(self.plain_escape(letter))

    def plain_escape(self, letter: str) -> str:
        """An escape that stands for one character, outside or inside a class; the letter has been read."""
        if letter in _KEPT_ESCAPES:
            return "\\" + letter
        if letter == "x":
            match = re.compile(r"\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2})").match(self.pattern, self.position)
            if match is not None:
                self.position = match.end()
                code = int(match.group(1) or match.group(2), 16)
                if code <= sys.maxunicode:
                    return re.escape(chr(code))
        if letter == "0" or (letter in "1234567" and re.match("[0-7]", self.pattern[self.position :])):
            match = re.compile("[0-7]{0,2}").match(self.pattern, self.position)
            assert match is not None
            self.position = match.end()
            return re.escape(chr(int(letter + match.group(0), 8)))
        if letter.isascii() and not letter.isalnum():
            return "\\" + letter
        raise PatternError(f"error parsing regexp: invalid escape sequence: `\\{letter}`")

    def unicode_class(self) -> str:
        match = re.compile(r"\{(\^?)([A-Za-z_]+)\}|([A-Z])").match(self.pattern, self.position)
        if match is None:
            raise PatternError("error parsing regexp: invalid character class range: `\\p`")
        self.position = match.end()
        name = match.group(2) or match.group(3)
        if match.group(1) or len(name) > 2:
            raise PatternError(f"the Unicode class {name} cannot be checked", refused=False)
        return _category(name)

    def character_class(self) -> None:
        self.position += 1
        parts = ["["]
        if self.pattern[self.position : self.position + 1] == "^":
            parts.append("^")
            self.position += 1
        first = True
        while True:
            character = self.pattern[self.position : self.position + 1]
            if character == "":
                raise PatternError(f"error parsing regexp: missing closing ]: `{self.pattern}`")
            self.position += 1
            if character == "]" and not first:
                self.parts.append("".join(parts) + "]")
                return
            first = False
            parts.append(self.class_part(character))

    def class_part(self, character: str) -> str:
        if character == "[" and self.pattern[self.position : self.position + 1] == ":":
            match = re.compile(r":(\^?)([a-z]+):\]").match(self.pattern, self.position)
            if match is not None:
                self.position = match.end()
                if match.group(2) not in _POSIX or match.group(1):
                    raise PatternError(f"the class {match.group(2)} cannot be checked", refused=False)
                return _POSIX[match.group(2)]
        if character != "\\":
            return "\\" + character if character in "[]&|~" else character
        letter = self.pattern[self.position : self.position + 1]
        self.position += 1
        if letter in _CLASSES:
            return _CLASSES[letter]
        if letter == "p":
            return self.unicode_class()
        if letter in ("D", "W", "S", "P"):
            return {"D": "\\D", "W": "\\W", "S": "\\S"}.get(letter) or self._refuse(letter)
        return self.plain_escape(letter)

    def _refuse(self, letter: str) -> str:
        raise PatternError(f"\\{letter} in a class cannot be checked", refused=False)


@lru_cache(maxsize=32)
def _category(name: str) -> str:
    """The characters of a Unicode category (``L``, ``Lu``) as the inside of a class."""
    ranges: list[list[int]] = []
    for code in range(sys.maxunicode + 1):
        if not unicodedata.category(chr(code)).startswith(name):
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    if not ranges:
        raise PatternError(f"error parsing regexp: invalid character class range: `\\p{{{name}}}`")
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)
