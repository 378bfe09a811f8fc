"""Values in the words of Go's error texts (``%#v``). Only messages depend on this."""

from __future__ import annotations

from helmguard.manifest.numbers import format_g
from helmguard.model.json_value import JSONValue

_LONGEST = 200


def go_syntax(value: JSONValue) -> str:
    """``value`` as Go source, cut where it would drown the message."""
    text = _syntax(value, depth=0)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _syntax(value: JSONValue, depth: int) -> str:
    if value is None:
        return "interface {}(nil)" if depth else "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return go_quote(value)
    if isinstance(value, float):
        return format_g(value)
    if isinstance(value, int):
        return str(value)
    if depth > 3:
        return "..."
    if isinstance(value, list):
        return "[]interface {}{" + ", ".join(_syntax(item, depth + 1) for item in value[:10]) + "}"
    entries = sorted(value.items())[:10]
    return (
        "map[interface {}]interface {}{"
        + ", ".join(f"{_syntax(key, depth + 1)}:{_syntax(item, depth + 1)}" for key, item in entries)
        + "}"
    )


_ESCAPES = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    '"': '\\"',
    "\\": "\\\\",
}


def go_quote(text: str) -> str:
    """``text`` between double quotes, as ``strconv.Quote`` writes it."""
    return '"' + "".join(map(_quoted, text)) + '"'


def _quoted(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
