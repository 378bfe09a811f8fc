"""Writes TOML: what ``tomllib`` reads back as the same values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from helmguard.model.json_value import JSONValue

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def toml_string(text: str) -> str:
    """A basic string; controls and surrogates, which TOML cannot hold bare, are escaped.

    Raises:
        ValueError: a lone surrogate, which no TOML can hold.
    """
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if "\ud800" <= character <= "\udfff":
        raise ValueError("TOML holds no lone surrogates")
    return f"\\u{ord(character):04x}" if character < " " or character == "\x7f" else character


def toml_key(name: str) -> str:
    """A part of a key: bare where that is possible."""
    return name if _BARE.fullmatch(name) else toml_string(name)


def toml_path(path: tuple[str, ...]) -> str:
    """A dotted key."""
    return ".".join(map(toml_key, path))


def toml_value(value: JSONValue) -> str:
    """A text, boolean, number, list or table on one line.

    Raises:
        TypeError: TOML has nothing for it (None).
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_string(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)  # inf and nan are written so in TOML, too
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, Mapping):
        items = ", ".join(f"{toml_key(name)} = {toml_value(item)}" for name, item in value.items())
        return f"{{ {items} }}" if items else "{}"
    raise TypeError(f"TOML has no {type(value).__name__}")


def toml_tables(path: tuple[str, ...], table: Mapping[str, JSONValue], indent: str = "") -> Iterator[str]:
    """Lines of a table and of all tables in it, each with its header; keys are indented by two more.

    A table that holds nothing but tables has no header of its own.
    """
    pairs = {name: value for name, value in table.items() if not isinstance(value, Mapping)}
    if path and (pairs or not table):
        yield f"{indent}[{toml_path(path)}]"
    inner = f"{indent}  " if path else indent
    for name, value in pairs.items():
        yield f"{inner}{toml_key(name)} = {toml_value(value)}"
    begun = bool(pairs) or bool(path and not table)
    for name, value in table.items():
        if isinstance(value, Mapping):
            if begun:
                yield ""
            yield from toml_tables((*path, name), value, indent)
            begun = True


def toml_document(document: Mapping[str, JSONValue]) -> str:
    """A whole file."""
    return "".join(f"{line}\n" for line in toml_tables((), document))
