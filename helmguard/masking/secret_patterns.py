"""Secrets that free text gives away by its form: assignments, URLs with passwords, PEM keys, known tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from helmguard.masking.secret_names import is_password_name, is_secret_name

Interval: TypeAlias = tuple[int, int]

_KEYWORD = re.compile(r"pass|pwd|secret|token|key|cred|dsn|connection", re.IGNORECASE)
_SHORTEST = 5
_HINTS = (
    *("pass", "pwd", "secr", "tok", "key", "cred", "dsn", "conn", "://", "-----begin", "eyj"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "nvapi-", "hvs."),
)
"""What a text must hold, in small letters, for any of the forms to be in it: a search for plain words is
twenty times as fast as one for a pattern."""
_NAME_BEFORE = re.compile(r"[\w.\-\[\]]{0,80}$")
_NAME_AFTER = re.compile(r"[\w.\-\[\]]{0,80}")
_WORD_BEFORE = re.compile(r"\w[\"',)]? $")
_SEPARATOR = re.compile(r"\\?[\"']?[ \t]*(?:=>|[:=])[ \t]*|(?<=\w)[ \t]+")
_VALUE = re.compile(r"\\?\"((?:[^\"\\\n]|\\.)*)\"|'([^'\n]*)'|((?:\\.|[^\s,;&\"'{}\[\]|\\])+)")
_REFERENCE = re.compile(r"\$\(\w+\)|\$\{[^}]*\}|\$\w+|<[^>]*>|\{\{.*\}\}|\*+|\(secret.*")
_FILE = re.compile(r"/(?:certs?|etc|home|mnt|opt|root|run|secrets?|srv|tmp|usr|var)(?:/[\w.-]+)+")
_URL_PASSWORD = re.compile(r"[a-zA-Z][a-zA-Z0-9+.\-]*://[^/\s:@\"']*:([^/\s@\"']+|(?!\d{1,5}/)[^\s@\"']+)@")
"""A password may hold what an URL does not allow there, but ``host:5000/image@sha256:1`` holds none."""
_PEM = re.compile(
    r"-----BEGIN (?!CERTIFICATE|X509|TRUSTED|PUBLIC|RSA PUBLIC|EC PUBLIC|SSH2 PUBLIC|PGP PUBLIC)"
    r"[A-Z0-9 ]+-----.*?(?:-----END [A-Z0-9 ]+-----|\Z)",
    re.DOTALL,
)
_KNOWN_TOKENS = re.compile(
    r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}"  # JSON web tokens
    r"|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bxox[abprs]-[\w-]{10,}|\bnvapi-[\w-]{20,}|\bhvs\.[\w-]{20,}"
)


_NO_VALUES = frozenset(
    [
        "true",
        "false",
        "null",
        "nil",
        "none",
        "Required",
        "Invalid",
        "Forbidden",
        "Unsupported",
        "Duplicate",
        "Secret",
    ]
)
"""What stands behind a name and a colon and is no value: the first words of the API server's refusals are."""


def secret_intervals(text: str) -> Iterator[Interval]:
    """Start and end of each part of the text that is a secret by its form. They may overlap."""
    if len(text) < _SHORTEST or not any(map(text.lower().__contains__, _HINTS)):
        return
    if "://" in text:
        yield from (match.span(1) for match in _URL_PASSWORD.finditer(text))
    if "-----BEGIN" in text:
        yield from (match.span() for match in _PEM.finditer(text))
    yield from (match.span() for match in _KNOWN_TOKENS.finditer(text))
    yield from _assignments(text)


def _assignments(text: str) -> Iterator[Interval]:
    """The values of ``password=x``, ``--set db.password=x``, ``"token": "x"``, ``--kube-token x``."""
    position = 0
    while (keyword := _KEYWORD.search(text, position)) is not None:
        before = _NAME_BEFORE.search(text, max(0, keyword.start() - 80), keyword.start())
        after = _NAME_AFTER.match(text, keyword.end())
        start, end = (
            (before.start() if before else keyword.start()),
            (after.end() if after else keyword.end()),
        )
        position = max(end, keyword.end())
        name = text[start:end]
        if not is_secret_name(name):
            continue
        separator = _SEPARATOR.match(text, end)
        is_flag = name.startswith("--") or text[max(0, start - 2) : start] == "--"
        if separator is None or (separator.group().isspace() and not is_flag):
            continue
        if _is_prose(text, start, name, separator.group()):
            continue
        value = _VALUE.match(text, separator.end())
        if value is not None and _is_secret_value(name, value):
            yield value.span(value.lastindex or 0)
            position = max(position, value.end())


def _is_prose(text: str, start: int, name: str, separator: str) -> bool:
    """Whether the word stands in a sentence: ``cannot patch "a" with kind Secret: Secret "a" is invalid``."""
    if name.lower() not in ("secret", "secrets") or not separator.startswith(":"):
        return False
    return _WORD_BEFORE.search(text, max(0, start - 80), start) is not None


def _is_secret_value(name: str, value: re.Match[str]) -> bool:
    text = value.group(value.lastindex or 0)
    # A full stop ends a sentence: "set processPushSecret: false."
    if not text or text.startswith("-") or text.rstrip(".") in _NO_VALUES:
        return False
    if text.replace(".", "", 1).isdigit() and not is_password_name(name):
        return False
    return not is_reference(text)


def is_reference(text: str) -> bool:
    """``$(VARIABLE)``, ``${VARIABLE}``, ``<placeholder>``, ``{{ template }}``, ``***``: no secret itself.

    Nor is the name of a file in a usual folder.
    """
    return _REFERENCE.fullmatch(text) is not None or _FILE.fullmatch(text) is not None
