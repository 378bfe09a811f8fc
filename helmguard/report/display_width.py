"""How many terminal columns a text takes."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


def display_width(text: str) -> int:
    """Columns of an escaped text: 2 for wide East Asian characters and emoji, 0 for combining marks."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def split_at(text: str, width: int) -> tuple[str, str]:
    """The longest beginning that fits into ``width`` columns, and the rest; at least one character."""
    if text.isascii():
        width = max(1, width)
        return text[:width], text[width:]
    used = 0
    for index, character in enumerate(text):
        used += _columns(character)
        if used > width and index:
            return text[:index], text[index:]
    return text, ""


@lru_cache(maxsize=4096)
def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
