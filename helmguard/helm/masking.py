"""Keeping secrets out of commands that are shown and out of helm's error texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from helmguard.masking.secret_names import is_secret_name

MASK = "***"

_SET_FLAGS = frozenset(["--set", "--set-string", "--set-json", "--set-literal"])
_MASKED_FLAGS = frozenset(["--password", "--kube-token"])
_SHORTEST_SECRET = 4
"""Shorter values are not searched for in texts: they would blank ordinary words."""


def mask_words(words: Sequence[str]) -> list[str]:
    """A command's words with passwords, tokens and secret-looking ``--set`` values replaced by ``***``."""
    masked: list[str] = []
    flag = ""
    for word in words:
        name, equals, value = word.partition("=")
        if flag:
            masked.append(_masked_value(flag, word))
            flag = ""
        elif name in _SET_FLAGS | _MASKED_FLAGS and equals:
            masked.append(f"{name}={_masked_value(name, value)}")
        else:
            masked.append(word)
            flag = word if word in _SET_FLAGS | _MASKED_FLAGS else ""
    return masked


def _masked_value(flag: str, value: str) -> str:
    if flag in _MASKED_FLAGS:
        return MASK
    if flag == "--set-literal":
        return _mask_assignment(flag, value)
    if flag == "--set-json" and value.lstrip().startswith("{"):
        return MASK if _has_secret_key(value) else value
    return ",".join(_mask_assignment(flag, part) for part in split_assignments(value))


def split_assignments(text: str) -> list[str]:
    """``a=1,b={x,y},c=\\,`` at its commas outside brackets, braces, JSON strings and escapes."""
    parts, depth, quoted, escaped, start = [], 0, False, False, 0
    for position, character in enumerate(text):
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth = max(0, depth - 1)
        elif character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]


def _mask_assignment(flag: str, text: str) -> str:
    key, equals, value = text.partition("=")
    if not equals or not value:
        return text
    if any(is_secret_name(step) for step in re.split(r"[.\[]", key)):
        return f"{key}={MASK}"
    if flag == "--set-json" and _has_secret_key(value):
        return f"{key}={MASK}"
    return text


def _has_secret_key(text: str) -> bool:
    try:
        return any(True for _ in _secret_strings(json.loads(text), inside=False))
    except ValueError:
        return any(is_secret_name(word) for word in re.findall(r"[\w-]+", text))


def secret_strings(values: Any) -> set[str]:
    """The string leaves of values that stand under a secret-looking key."""
    return set(_secret_strings(values, inside=False))


def _secret_strings(value: Any, *, inside: bool) -> Iterable[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _secret_strings(item, inside=inside or is_secret_name(str(key)))
    elif isinstance(value, list):
        for item in value:
            yield from _secret_strings(item, inside=inside)
    elif inside and isinstance(value, str) and value:
        yield value


def secrets_in_words(words: Sequence[str]) -> set[str]:
    """The secret values among a command's words, for `redact`."""
    secrets: set[str] = set()
    for word, masked in zip(words, mask_words(words), strict=True):
        if word == masked:
            continue
        if masked == MASK:
            secrets.add(word)
        for part in (word, *split_assignments(word)):
            value = part if part.startswith("{") else part.partition("=")[2]
            secrets.add(value)
            secrets |= _strings_in_json(value)
    return secrets - {""}


def quoted_in_errors(words: Sequence[str]) -> set[str]:
    """What helm's errors about value flags may quote, and what may be secret whatever its name.

    A word that cannot be read is quoted as a whole, or from where reading stopped: no name tells then what
    belongs to it.
    """
    quoted = secrets_in_words(words)
    for flag, value in _set_words(words):
        key, equals, rest = value.partition("=")
        if flag == "--set-json":
            quoted.add(rest if equals and not value.lstrip().startswith("{") else value)
        elif _names_secret(key) or any(_names_secret(part) for part in value.split(",")):
            quoted.update(part for part in re.split(r"[,=\[\]{}]", value) if not _names_secret(part))
    return {text for text in quoted if len(text) >= _SHORTEST_SECRET}


def _set_words(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    for word, following in zip(words, [*words[1:], ""], strict=False):
        name, equals, value = word.partition("=")
        if name in _SET_FLAGS:
            yield name, value if equals else following


def _names_secret(key: str) -> bool:
    return any(is_secret_name(step) for step in re.split(r"[.\[=]", key.strip()))


def _strings_in_json(text: str) -> set[str]:
    try:
        return secret_strings(json.loads(text))
    except ValueError:
        return set()


def redact(text: str, secrets: Iterable[str]) -> str:
    """``text`` with every secret replaced, the longest first."""
    for secret in sorted(set(secrets), key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, MASK)
    return text
