"""Finds known secrets, and anything that looks like one, in text."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from helmguard.masking.secret_patterns import Interval, is_reference, secret_intervals

_SHORTEST_PART = 8
"""From this length on a secret is looked for inside longer texts."""
_SHORTEST_WORD = 4
"""From this length on a secret of mixed characters is looked for as a word of its own."""
_SHORTEST = 3
_SHORTEST_NUMBER = 6
_SHORTEST_LINE = 16
_ORDINARY = frozenset(
    [
        "true",
        "false",
        "null",
        "none",
        "nil",
        "yes",
        "off",
        "default",
        "undefined",
        "disabled",
        "enabled",
        "password",
        "passwd",
        "username",
        "secret",
        "token",
        "admin",
        "root",
        "user",
        "localhost",
        "postgres",
        "postgresql",
        "mysql",
        "redis",
        "mongodb",
        "kubernetes",
    ]
)
"""Words that stand everywhere: to blank them would hide much, and would tell what the secret is."""
_FEW = 16


class SecretFinder:
    """Knows a set of secrets in all the forms they are written in: plain, base64, JSON and URL escaped.

    ``public`` are texts that are no secrets wherever they come from: names of the release and its objects.
    """

    def __init__(self, secrets: Iterable[str], public: frozenset[str] = frozenset()) -> None:
        self._whole: set[str] = set()
        parts: set[str] = set()
        words: set[str] = set()
        for secret in set(secrets):
            if not is_telling(secret) or secret in public:
                continue
            for form in _forms(secret):
                self._whole.add(form)
                if len(form) >= _SHORTEST_PART:
                    parts.add(form)
                elif len(form) >= _SHORTEST_WORD and _is_mixed(form):
                    words.add(form)
            parts.update(_lines(secret))
        self._parts_by_head: dict[str, list[str]] = {}
        for part in sorted(parts, key=len, reverse=True):
            self._parts_by_head.setdefault(part[:_SHORTEST_PART], []).append(part)
        self._parts = parts
        self._words = _words_pattern(words)

    def is_secret(self, text: str) -> bool:
        """Whether the whole text is a known secret."""
        return text in self._whole

    def find(self, text: str) -> list[Interval]:
        """The parts of the text that are secret, in order, joined where they overlap."""
        found = [*secret_intervals(text), *self._known(text)]
        return _joined(found) if found else found

    def _known(self, text: str) -> Iterator[Interval]:
        if self._words is not None:
            yield from (match.span() for match in self._words.finditer(text))
        if len(text) < _SHORTEST_PART:
            return
        if len(self._parts) <= _FEW:
            for part in self._parts:
                yield from _occurrences(part, text)
            return
        heads = self._parts_by_head
        for start in range(len(text) - _SHORTEST_PART + 1):
            for part in heads.get(text[start : start + _SHORTEST_PART], ()):
                if text.startswith(part, start):
                    yield start, start + len(part)
                    break


def is_telling(secret: str) -> bool:
    """Whether finding the text somewhere says anything: not so for ``true``, ``80``, ``$(VARIABLE)``."""
    text = secret.strip()
    if len(text) < _SHORTEST or text.lower() in _ORDINARY or is_reference(text):
        return False
    return len(text) >= _SHORTEST_NUMBER or not text.isdigit()


def _forms(secret: str) -> set[str]:
    data = secret.encode(errors="surrogatepass")
    standard = base64.b64encode(data).decode()
    safe = base64.urlsafe_b64encode(data).decode()
    forms = {
        secret,
        secret.strip(),
        standard,
        standard.rstrip("="),
        safe,
        safe.rstrip("="),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(data, safe=""),
    }
    return {form for form in forms if len(form) >= _SHORTEST}


def _lines(secret: str) -> set[str]:
    """The lines of a longer secret, such as a key: it may stand elsewhere with another indentation."""
    if "\n" not in secret.strip():
        return set()
    lines = {line.strip() for line in secret.split("\n")}
    return {line for line in lines if len(line) >= _SHORTEST_LINE and " " not in line and "-----" not in line}


def _is_mixed(text: str) -> bool:
    return not text.isalpha() and not text.isdigit()


def _words_pattern(words: set[str]) -> re.Pattern[str] | None:
    if not words:
        return None
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)")


def _occurrences(part: str, text: str) -> Iterator[Interval]:
    start = text.find(part)
    while start >= 0:
        yield start, start + len(part)
        start = text.find(part, start + 1)


def _joined(intervals: list[Interval]) -> list[Interval]:
    joined: list[Interval] = []
    for start, end in sorted(intervals):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
