"""Finds what is left of a secret where a text was cut: ``"hunter2-lo..."``, ``...|r2-long"}``.

Parsers and API servers quote only the beginning, the end or the middle of what they do not like.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from helmguard.masking.secret_patterns import Interval

_CUT = re.compile(r"[\"'`|]*(?:\.\.\.|…)[\"'`|]*")
_SHORTEST_LEFT = 4
"""Fewer characters than these tell next to nothing."""


class CutSecrets:
    """Knows how secrets begin and end. ``parts`` are whole secrets in all their forms."""

    def __init__(self, parts: Iterable[str]) -> None:
        self._by_head: dict[str, list[str]] = {}
        self._by_tail: dict[str, list[str]] = {}
        self._longest = 0
        for part in parts:
            self._by_head.setdefault(part[:_SHORTEST_LEFT], []).append(part)
            self._by_tail.setdefault(part[-_SHORTEST_LEFT:], []).append(part)
            self._longest = max(self._longest, len(part))

    def find(self, text: str) -> Iterator[Interval]:
        """What stands before a mark of a cut and begins a secret, and what stands behind and ends one."""
        if not self._by_head or ("..." not in text and "…" not in text):
            return
        for cut in _CUT.finditer(text):
            yield from self._beginning(text, cut.start())
            yield from self._end(text, cut.end())

    def _beginning(self, text: str, end: int) -> Iterator[Interval]:
        for start in range(max(0, end - self._longest), end - _SHORTEST_LEFT + 1):
            known = self._by_head.get(text[start : start + _SHORTEST_LEFT])
            if known and any(part.startswith(text[start:end]) for part in known):
                yield start, end
                return

    def _end(self, text: str, start: int) -> Iterator[Interval]:
        for end in range(min(len(text), start + self._longest), start + _SHORTEST_LEFT - 1, -1):
            known = self._by_tail.get(text[end - _SHORTEST_LEFT : end])
            if known and any(part.endswith(text[start:end]) for part in known):
                yield start, end
                return
