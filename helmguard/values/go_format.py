"""How Go prints numbers, quotes text and names types: the words of Helm's own output and errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helmguard.manifest.numbers import printed

_SHORT_ESCAPES = {
    "\a": r"\a",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\v": r"\v",
    "\\": "\\\\",
}


def go_text(value: Any) -> str:
    """The text a template prints for ``{{ .Values.x }}``: Go's ``%v`` of the value.

    A Python int stands for Go's int64, a float for float64: ``1000000`` prints ``1000000``, ``1000000.0``
    prints ``1e+06``. Tables print as ``map[a:1 b:2]`` (sorted keys), lists as ``[1 2]``, None as ``<nil>``.
    """
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return printed(value)
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "map[" + " ".join(f"{key}:{go_text(value[key])}" for key in sorted(value)) + "]"
    return "[" + " ".join(go_text(item) for item in value) + "]"


def go_number(value: int | float) -> str:
    """Go's type and text of a number as a template sees it: ``int64 5``, ``float64 1e+06``."""
    return f"{go_type(value)} {go_text(value)}"


def go_numbers(value: Any, pointer: str = "") -> dict[str, str]:
    """Go's type and text of every number in a tree, by unescaped JSON pointer."""
    if isinstance(value, Mapping):
        parts = ((f"{pointer}/{key}", item) for key, item in value.items())
    elif isinstance(value, list):
        parts = ((f"{pointer}/{index}", item) for index, item in enumerate(value))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        return {pointer: go_number(value)}
    else:
        return {}
    return {path: text for part, item in parts for path, text in go_numbers(item, part).items()}


def go_type(value: Any) -> str:
    """The name Go gives the type of a value inside an ``interface {}``."""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int64"
    if isinstance(value, float):
        return "float64"
    if isinstance(value, str):
        return "string"
    if isinstance(value, Mapping):
        return "map[string]interface {}"
    return "[]interface {}"


def quote(text: str) -> str:
    """Go's ``%q`` of a string: double quotes, Go's escapes, anything not printable escaped."""
    return '"' + "".join(_escape(character, '"') for character in text) + '"'


def quote_runes(text: str) -> str:
    """Go's ``%q`` of a ``[]rune``: each character in single quotes, in brackets."""
    return "[" + " ".join("'" + _escape(character, "'") + "'" for character in text) + "]"


def _escape(character: str, quote_mark: str) -> str:
    if character in "\"'":
        return "\\" + character if character == quote_mark else character
    short = _SHORT_ESCAPES.get(character)
    if short is not None:
        return short
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def bad_bool_verb(value: Any) -> str:
    """Go's ``%t`` of a value that need not be a bool: Helm's ``type mismatch on sub: %!t(string=x)``."""
    return "%!t(<nil>)" if value is None else _bad_bool_verb(value)


def _bad_bool_verb(value: Any) -> str:
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        pairs = (f"{_bad_bool_verb(key)}:{_bad_bool_verb(value[key])}" for key in sorted(value))
        return "map[" + " ".join(pairs) + "]"
    if isinstance(value, list):
        return "[" + " ".join(_bad_bool_verb(item) for item in value) + "]"
    return f"%!t({go_type(value)}={go_text(value)})"
