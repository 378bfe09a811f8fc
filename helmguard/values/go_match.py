"""Go's ``path.Match`` and ``filepath.Match`` patterns (go1.24 src/path/match.go) as regular expressions."""

from __future__ import annotations

import re
from functools import lru_cache


class MalformedPatternError(ValueError):
    """What Go calls ErrBadPattern; the argument is the pattern."""


@lru_cache(maxsize=256)
def go_match(pattern: str, *, over_slashes: bool = False) -> re.Pattern[str]:
    """``*``, ``?``, ``[a-z]``, ``[^a-z]`` and ``\\``; to be used with ``fullmatch``.

    Args:
        pattern: as it is written in a file.
        over_slashes: ``*`` and ``?`` do not stop at a slash, as in drone/envsubst's copy of the function.

    Raises:
        MalformedPatternError: the pattern is none that Go can read.
    """
    any_one = "." if over_slashes else "[^/]"
    parts: list[str] = []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if character == "*":
            parts.append(f"{any_one}*")
        elif character == "?":
            parts.append(any_one)
        elif character == "[":
            text, position = _character_class(pattern, position)
            parts.append(text)
        elif character == "\\":
            if position >= len(pattern):
                raise MalformedPatternError(pattern)
            parts.append(re.escape(pattern[position]))
            position += 1
        else:
            parts.append(re.escape(character))
    return re.compile("".join(parts), re.DOTALL)


def _character_class(pattern: str, position: int) -> tuple[str, int]:
    negated = pattern[position : position + 1] == "^"
    position += negated
    ranges: list[str] = []
    read = False
    while True:
        if pattern[position : position + 1] == "]" and read:
            return _any_of(ranges, negated), position + 1
        low, position = _class_character(pattern, position)
        high = low
        if pattern[position : position + 1] == "-":
            high, position = _class_character(pattern, position + 1)
        read = True
        if low <= high:
            ranges.append(f"{re.escape(low)}-{re.escape(high)}")


def _any_of(ranges: list[str], negated: bool) -> str:
    """A set of characters; one without any (`[b-a]`) is allowed in Go, but not in a regular expression."""
    if ranges:
        return f"[{'^' if negated else ''}{''.join(ranges)}]"
    return "." if negated else "(?!)"


def _class_character(pattern: str, position: int) -> tuple[str, int]:
    bad = position >= len(pattern) or pattern[position] in "-]"
    if not bad and pattern[position] == "\\":
        position += 1
        bad = position >= len(pattern)
    if bad or position + 1 >= len(pattern):
        raise MalformedPatternError(pattern)
    return pattern[position], position + 1
