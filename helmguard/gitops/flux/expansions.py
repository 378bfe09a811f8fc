"""What the operators of ``${name...}`` do to a value (fluxcd/pkg envsubst/funcs.go).

Lengths and places count bytes of UTF-8, as in Go.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from helmguard.values.go_match import MalformedPatternError, go_match

_WHOLE = re.compile(r"[+-]?[0-9]+")


def _length(value: str) -> str:
    return str(len(value.encode()))


def _lower_first(value: str) -> str:
    return value[:1].lower() + value[1:]


def _upper_first(value: str) -> str:
    return value[:1].upper() + value[1:]


def _from(value: str, start: str) -> str:
    return _slice(value, start, None)


def _slice(value: str, start: str, length: str | None) -> str:
    """A negative start counts from the end; what is no number leaves the value as it is.

    Raises:
        ValueError: the end lies before the start, which stops Flux.
    """
    if not _WHOLE.fullmatch(start) or (length is not None and not _WHOLE.fullmatch(length)):
        return _from(value, start) if length is None and _WHOLE.fullmatch(start) else value
    data = value.encode()
    first = int(start)
    first = max(len(data) + first, 0) if first < 0 else first
    end = len(data) if length is None else first + int(length)
    if end >= len(data):
        return data[first:].decode(errors="replace")
    if end < first:
        raise ValueError
    return data[first:end].decode(errors="replace")


def _replace_first(value: str, old: str, new: str = "") -> str:
    return value.replace(old, new, 1)


def _replace_all(value: str, old: str, new: str = "") -> str:
    return value.replace(old, new)


def _replace_start(value: str, old: str, new: str) -> str:
    return new + value.removeprefix(old) if value.startswith(old) else value


def _replace_end(value: str, old: str, new: str) -> str:
    return value.removesuffix(old) + new if value.endswith(old) else value


def _without_shortest_start(value: str, pattern: str) -> str:
    return _trimmed(value, pattern, longest=False)


def _without_longest_start(value: str, pattern: str) -> str:
    return _trimmed(value, pattern, longest=True)


def _without_shortest_end(value: str, pattern: str) -> str:
    return _trimmed(value[::-1], pattern[::-1], longest=False)[::-1]


def _without_longest_end(value: str, pattern: str) -> str:
    return _trimmed(value[::-1], pattern[::-1], longest=True)[::-1]


def _trimmed(value: str, pattern: str, *, longest: bool) -> str:
    """The value without the piece at its start that the pattern matches. Both are turned round for the end,
    where ``[ab]`` so becomes ``]ba[`` and no set of characters any more."""
    try:
        expression = go_match(pattern, over_slashes=True)
    except MalformedPatternError:
        return value
    lengths = range(len(value), 0, -1) if longest else range(1, len(value) + 1)
    return next((value[length:] for length in lengths if expression.fullmatch(value[:length])), value)


EXPANSIONS: dict[tuple[str, int], Callable[..., str]] = {
    ("#", 0): _length,
    (",", 0): _lower_first,
    (",,", 0): str.lower,
    ("^", 0): _upper_first,
    ("^^", 0): str.upper,
    (":", 1): _from,
    (":", 2): _slice,
    ("/", 1): _replace_first,
    ("/", 2): _replace_first,
    ("//", 1): _replace_all,
    ("//", 2): _replace_all,
    ("/#", 2): _replace_start,
    ("/%", 2): _replace_end,
    ("#", 1): _without_shortest_start,
    ("##", 1): _without_longest_start,
    ("%", 1): _without_shortest_end,
    ("%%", 1): _without_longest_end,
}
"""By operator and how many arguments it has; what is not listed leaves the value as it is."""
