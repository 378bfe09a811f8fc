"""Finds known secrets, and anything that looks like one, in text."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator

from helmguard.masking.cut_secrets import CutSecrets
from helmguard.masking.secret_forms import SHORTEST_PART, base64_fragments, forms, long_lines
from helmguard.masking.secret_patterns import Interval, is_reference, secret_intervals

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
_FEW = 40
_STANDARD_ALPHABET = str.maketrans("-_", "+/")
_BASE64_RUN = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")


class SecretFinder:
    """Knows a set of secrets in all the forms they are written in (`secret_forms`), cut ones too.

    ``public`` are texts that are no secrets wherever they come from: names of the release and its objects.
    """

    def __init__(self, secrets: Iterable[str], public: frozenset[str] = frozenset()) -> None:
        self._whole: set[str] = set()
        parts: set[str] = set()
        words: set[str] = set()
        self._fragments: set[str] = set()
        for secret in set(secrets):
            if not is_telling(secret) or secret in public:
                continue
            for form in forms(secret):
                self._whole.add(form)
                if len(form) >= SHORTEST_PART:
                    parts.add(form)
                elif len(form) >= _SHORTEST_WORD and _is_mixed(form):
                    words.add(form)
            parts.update(long_lines(secret))
            self._fragments.update(base64_fragments(secret))
        self._cut = CutSecrets(parts)
        parts |= self._fragments
        self._parts_by_head: dict[str, list[str]] = {}
        for part in sorted(parts, key=len, reverse=True):
            self._parts_by_head.setdefault(part[:SHORTEST_PART], []).append(part)
        self._parts = parts
        self._words = _words_pattern(words)

    def is_secret(self, text: str) -> bool:
        """Whether the whole text is a known secret."""
        return text in self._whole

    def find(self, text: str) -> list[Interval]:
        """The parts of the text that are secret, in order, joined where they overlap."""
        found = [*secret_intervals(text), *_encoded_secrets(text), *self._known(text)]
        return _joined(found) if found else found

    def find_known(self, text: str) -> list[Interval]:
        """The same without what only looks like a secret."""
        return _joined(list(self._known(text)))

    def _known(self, text: str) -> Iterator[Interval]:
        yield from self._cut.find(text)
        for start, end in self._occurrences(text):
            if text[start:end] in self._fragments:
                yield _base64_run(text, start, end)
            else:
                yield start, end

    def _occurrences(self, text: str) -> Iterator[Interval]:
        if self._words is not None:
            yield from (match.span() for match in self._words.finditer(text))
        if len(text) < SHORTEST_PART:
            return
        if len(self._parts) <= _FEW:
            for part in self._parts:
                yield from _occurrences(part, text)
            return
        heads = self._parts_by_head
        last = len(text) - SHORTEST_PART
        for start in [at for at in range(last + 1) if text[at : at + SHORTEST_PART] in heads]:
            for part in heads[text[start : start + SHORTEST_PART]]:
                if text.startswith(part, start):
                    yield start, start + len(part)
                    break


def is_telling(secret: str) -> bool:
    """Whether finding the text somewhere says anything: not so for ``true``, ``80``, ``$(VARIABLE)``."""
    text = secret.strip()
    if len(text) < _SHORTEST or text.lower() in _ORDINARY or is_reference(text):
        return False
    return len(text) >= _SHORTEST_NUMBER or not text.isdigit()


def _base64_run(text: str, start: int, end: int) -> Interval:
    """The whole base64 text around a part of it: its neighbours hold the secret's first and last bits."""
    while start > 0 and _BASE64_RUN.fullmatch(text[start - 1]):
        start -= 1
    run = _BASE64_RUN.match(text, start)
    return start, max(end, run.end() if run else end)


def _encoded_secrets(text: str) -> Iterator[Interval]:
    """Base64 texts of something that gives secrets away by its form, such as a file with passwords."""
    for run in _BASE64_RUN.finditer(text) if len(text) >= _SHORTEST_LINE else ():
        if run.end() - run.start() < _SHORTEST_LINE:
            continue
        content = _decoded(run.group())
        if content and next(secret_intervals(content), None) is not None:
            yield run.span()


def _decoded(text: str) -> str:
    """What a base64 text of either alphabet stands for; empty where that is no text."""
    body = text.rstrip("=").translate(_STANDARD_ALPHABET)
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4)).decode()
    except ValueError:
        return ""


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
