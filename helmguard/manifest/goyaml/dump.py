"""Values as YAML for people to read, and for Go and us to read back as the same value.

Block style as Helm and kubectl print it (a list starts under its key, not further in). A text is quoted
where Go or other readers would take it for something else, and a text of several lines becomes a literal
block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.manifest.goyaml.json_text import go_json
from helmguard.manifest.goyaml.scalars import resolve_plain
from helmguard.model.json_value import JSONValue

_LONGEST_KEY = 1000  # Go looks for a key's colon within 1024 characters
_PLAIN = re.compile(r"(?!\.\.\.)-{0,2}[^\s\-?:,\[\]{}#&*!|>'\"%@`=](?:[^:# ]|:(?! |\Z)|(?<! )#| (?!#|\Z))*")
# Numbers of base 60 and dates: text to Go, not to every reader.
_ELSEWHERE_TYPED = re.compile(
    r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*"
)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def dump(value: JSONValue, *, sort_keys: bool = False) -> str:
    """``value`` (anything JSON can hold) as a YAML document ending in a line feed.

    Keys stand in the map's own order, or sorted as Go sorts them.

    Raises:
        YAMLError: the value holds NaN or an infinity.
    """
    lines: list[str] = []
    pending = [_Item(value, "", 0, "")]
    while pending:
        item = pending.pop()
        if isinstance(item.value, dict) and item.value:
            pending += reversed(list(_map_items(item, lines, sort_keys)))
        elif isinstance(item.value, list) and item.value:
            pending += reversed(list(_list_items(item, lines)))
        else:
            lines += _scalar_lines(item)
    return "\n".join(lines) + "\n"


class _Item:
    """A value still to be written.

    ``lead``: the line begun for it. ``column``: where the collection it stands in begins. ``after``: the
    indicator that ``lead`` ends in (``:`` or ``-``), or nothing at the top.
    """

    __slots__ = ("after", "column", "lead", "value")

    def __init__(self, value: JSONValue, lead: str, column: int, after: str) -> None:
        self.value = value
        self.lead = lead
        self.column = column
        self.after = after


def _map_items(item: _Item, lines: list[str], sort_keys: bool) -> Iterator[_Item]:
    start, column = _open(item, lines, compact=False)
    for key in sorted(item.value) if sort_keys else item.value:
        text = _inline(key, as_key=True)
        if len(text) > _LONGEST_KEY:
            yield _Item(None, f"{start}? {text}", -1, "")
            yield _Item(item.value[key], " " * column + ":", column, ":")
        else:
            yield _Item(item.value[key], f"{start}{text}:", column, ":")
        start = " " * column


def _list_items(item: _Item, lines: list[str]) -> Iterator[_Item]:
    start, column = _open(item, lines, compact=True)
    for child in item.value:
        yield _Item(child, start + "-", column, "-")
        start = " " * column


def _open(item: _Item, lines: list[str], *, compact: bool) -> tuple[str, int]:
    """Start a collection; returns how its first line begins, and its column."""
    if item.after == "":
        return "", 0
    if item.after == "-":
        return item.lead + " ", item.column + 2
    lines.append(item.lead)
    column = item.column if compact else item.column + 2
    return " " * column, column


def _scalar_lines(item: _Item) -> list[str]:
    if item.column < 0:
        return [item.lead]
    lead = item.lead + " " if item.lead else ""
    value = item.value
    if isinstance(value, str) and _suits_block(value):
        return _block_lines(value, lead, " " * (item.column + 2))
    return [lead + _inline(value)]


def _inline(value: JSONValue, *, as_key: bool = False) -> str:
    if isinstance(value, dict):
        return "{}"
    if isinstance(value, list):
        return "[]"
    if not isinstance(value, str):
        text = go_json(value)
        return text if not isinstance(value, float) or "." in text or "e" in text else text + ".0"
    if _is_plain(value) and not (as_key and value == "<<"):
        return value
    if value.isprintable() and isinstance(resolve_plain(value), str):
        return "'" + value.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, value)) + '"'


def _is_plain(text: str) -> bool:
    return (
        text.isprintable()
        and _PLAIN.fullmatch(text) is not None
        and _ELSEWHERE_TYPED.fullmatch(text) is None
        and isinstance(resolve_plain(text), str)
    )


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _suits_block(text: str) -> bool:
    """Several lines, the last of them not blank, of characters that need no escape."""
    lines = text.rstrip("\n").split("\n")
    several = "\n" in text and text.strip(" \t\n") != ""
    return (
        several
        and lines[-1].strip(" \t") != ""
        and all(line.replace("\t", " ").isprintable() for line in lines)
    )


def _block_lines(text: str, lead: str, indent: str) -> list[str]:
    body = text.rstrip("\n")
    line_feeds = len(text) - len(body)
    indicator = "2" if body[0] in " \t\n" else ""
    chomping = "-" if line_feeds == 0 else "" if line_feeds == 1 else "+"
    lines = [indent + line if line else "" for line in body.split("\n")]
    return [f"{lead}|{indicator}{chomping}", *lines, *[""] * (line_feeds - 1)]
