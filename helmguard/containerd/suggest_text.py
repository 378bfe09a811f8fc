"""The smallest edits of a TOML text: comments, order and line ends of the rest stay as they are.

Each edit gives the new text, or None where it finds no place for it. Whether the result is what was meant is
for the caller to find out, by reading it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from helmguard.containerd.toml_places import KeyPath, TomlPlace, toml_places
from helmguard.containerd.toml_text import toml_key, toml_path, toml_string, toml_tables, toml_value
from helmguard.model.json_value import JSONValue

_BOM = "\ufeff"


class _Text:
    """A text by lines, with what stands where."""

    def __init__(self, text: str) -> None:
        self.bom = _BOM if text.startswith(_BOM) else ""
        self.text = text.removeprefix(_BOM)
        self.places = toml_places(self.text)
        self.newline = "\r\n" if "\r\n" in self.text else "\n"
        # Not splitlines(): TOML's lines end with line feeds alone.
        self.lines = [line + "\n" for line in self.text.split("\n")]
        self.lines[-1] = self.lines[-1][:-1]

    def line(self, number: int) -> str:
        """From 1, without its end."""
        return self.lines[number - 1].rstrip("\r\n")

    def is_header(self, place: TomlPlace) -> bool:
        return place.start == place.end and self.line(place.line).lstrip().startswith("[")

    def headers(self) -> dict[int, KeyPath]:
        """Lines that open a table, by number; each with the longest path that begins there."""
        found: dict[int, KeyPath] = {}
        for path, place in self.places.items():
            if self.is_header(place) and len(path) > len(found.get(place.line, ())):
                found[place.line] = path
        return dict(sorted(found.items()))

    def with_lines(self, before: int, lines: list[str]) -> str:
        """Lines put in before the line of this number (from 1; one beyond the last appends)."""
        kept = list(self.lines)
        if before > len(kept) and kept and not kept[-1]:
            before = len(kept)  # the text ends with a line feed: its last "line" is empty
        elif before > len(kept) and kept:
            kept[-1] += self.newline
        kept[before - 1 : before - 1] = [line + self.newline for line in lines]
        return self.bom + "".join(kept)

    def with_span(self, place: TomlPlace, value: str) -> str:
        return self.bom + self.text[: place.start] + value + self.text[place.end :]

    def first_entry(self) -> int:
        """The line of the first key or header; one beyond the last where there is none."""
        return min((place.line for place in self.places.values()), default=len(self.lines) + 1)


class NewTable(msgspec.Struct, frozen=True):
    """A table that is to be put into a file; ``values`` may hold tables."""

    path: KeyPath
    values: Mapping[str, JSONValue]


def text_with_value(text: str, path: KeyPath, value: JSONValue) -> str | None:
    """A key's value replaced, or the key added where its table stands, or with a table of its own."""
    found = _Text(text)
    place = found.places.get(path)
    if place is not None and place.start < place.end:
        return found.with_span(place, toml_value(value))
    return _with_new_key(found, path, value)


def _with_new_key(found: _Text, path: KeyPath, value: JSONValue) -> str | None:
    table = path[:-1]
    pair = f"{toml_key(path[-1])} = {toml_value(value)}"
    place = found.places.get(table)
    if place is None:
        return text_with_tables(found.bom + found.text, NewTable(table, {path[-1]: value}))
    if place.start < place.end:
        return _inside_inline(found, place, pair)
    if found.headers().get(place.line) == table:
        return found.with_lines(place.line + 1, [_indent_below(found, place.line) + pair])
    return text_with_tables(found.bom + found.text, NewTable(table, {path[-1]: value}))


def _inside_inline(found: _Text, place: TomlPlace, pair: str) -> str | None:
    written = found.text[place.start : place.end]
    if not written.startswith("{"):
        return None
    rest = written[1:]
    new = f"{{ {pair} }}" if not rest[:-1].strip() else f"{{ {pair}, {rest.lstrip()}"
    return found.with_span(place, new)


def _indent_below(found: _Text, header: int) -> str:
    """The blanks before the first key of a table; where it has none, two more than its header."""
    below = found.line(header + 1) if header < len(found.lines) else ""
    if below.strip() and not below.lstrip().startswith(("[", "#")):
        return below[: len(below) - len(below.lstrip())]
    own = found.line(header)
    return own[: len(own) - len(own.lstrip())] + "  "


def _beside_dotted(found: _Text, line: int, table: NewTable) -> str | None:
    """A table that dotted keys make cannot have a header: more such keys, before the first of them."""
    section = [path for number, path in found.headers().items() if number < line]
    header = section[-1] if section else ()
    if table.path[: len(header)] != header:
        return None
    own = found.line(line)
    indent = own[: len(own) - len(own.lstrip())]
    pairs = _leaves(table.path[len(header) :], table.values)
    return found.with_lines(
        line, [f"{indent}{toml_path(path)} = {toml_value(value)}" for path, value in pairs]
    )


def _leaves(path: KeyPath, table: Mapping[str, JSONValue]) -> Iterator[tuple[KeyPath, JSONValue]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves((*path, name), value)
        else:
            yield (*path, name), value


def text_with_tables(text: str, *tables: NewTable) -> str | None:
    """Tables put in behind their nearest kin: the last table that has most of their path in common."""
    new: str | None = text
    for table in tables:
        new = _with_table(_Text(new), table) if new is not None else None
    return new


def _with_table(found: _Text, table: NewTable) -> str | None:
    for length in range(len(table.path), 0, -1):
        place = found.places.get(table.path[:length])
        if place is None:
            continue
        if place.start < place.end:
            inside = length < len(table.path)
            return _inside_inline(found, place, _inline_pair(table, length)) if inside else None
        if not found.is_header(place):
            return _beside_dotted(found, place.line, table)
        break
    headers = found.headers()
    anchor = _nearest(headers, table.path)
    if anchor is None:
        return found.with_lines(len(found.lines) + 1, _apart(found, toml_tables(table.path, table.values)))
    own = found.line(anchor)
    indent = own[: len(own) - len(own.lstrip())]
    end = _section_end(found, anchor, headers)
    return found.with_lines(end + 1, ["", *toml_tables(table.path, table.values, indent)])


def _inline_pair(table: NewTable, length: int) -> str:
    """What is to be put into the inline table that the first ``length`` parts of the path lead to."""
    inner: JSONValue = table.values
    for part in reversed(table.path[length + 1 :]):
        inner = {part: inner}
    return f"{toml_key(table.path[length])} = {toml_value(inner)}"


def _apart(found: _Text, lines: Iterable[str]) -> list[str]:
    new = list(lines)
    return ["", *new] if found.text.strip() else new


def _nearest(headers: Mapping[int, KeyPath], path: KeyPath) -> int | None:
    """The last header of those with the longest common beginning; a plugin's at least."""
    best, best_length = None, 2
    for line, other in headers.items():
        length = 0
        while length < min(len(path), len(other)) and path[length] == other[length]:
            length += 1
        if length >= best_length:
            best, best_length = line, length
    return best


def _section_end(found: _Text, header: int, headers: Mapping[int, KeyPath]) -> int:
    """The last line of a table that is no blank and no comment: comments before a header belong to that."""
    end = min((line for line in headers if line > header), default=len(found.lines) + 1) - 1
    while end > header and (not found.line(end).strip() or found.line(end).lstrip().startswith("#")):
        end -= 1
    return end


def text_with_version(text: str, version: int) -> str | None:
    """``version`` set, or put before everything else."""
    found = _Text(text)
    place = found.places.get(("version",))
    if place is not None and place.start < place.end:
        return found.with_span(place, str(version))
    return found.with_lines(found.first_entry(), [f"version = {version}"])


def text_with_import(text: str, pattern: str) -> str | None:
    """One more entry at the end of ``imports``, or that line behind ``version``, else before all tables."""
    found = _Text(text)
    place = found.places.get(("imports",))
    if place is None:
        version = found.places.get(("version",))
        line = version.line + 1 if version is not None else found.first_entry()
        return found.with_lines(line, [f"imports = [{toml_string(pattern)}]"])
    written = found.text[place.start : place.end]
    if not written.startswith("[") or not written.endswith("]"):
        return None
    entry = toml_string(pattern)
    last = max(written.rfind('"'), written.rfind("'"))
    if last < 0:
        return found.with_span(place, f"[{entry}]")
    if written[last + 1 : -1].strip(" \t\r\n,"):  # a comment behind the last entry
        return found.with_span(place, f"[{entry}, {written[1:].lstrip(' ')}")
    inner = written[: last + 1]
    line_start = inner.rfind("\n") + 1
    indent = re.match(r"[ \t]*", inner[line_start:])
    gap = f",{found.newline}{indent[0]}" if line_start and indent else ", "
    return found.with_span(place, f"{inner}{gap}{entry}{written[last + 1 :]}")


def text_without_items(text: str, path: KeyPath, unwanted: frozenset[str]) -> str | None:
    """Texts taken out of a list."""
    found = _Text(text)
    place = found.places.get(path)
    if place is None or place.start == place.end:
        return None
    written = found.text[place.start : place.end]
    try:
        items = tomllib.loads(f"items = {written}")["items"]
    except tomllib.TOMLDecodeError:
        return None
    if not isinstance(items, list):
        return None
    kept = [item for item in items if item not in unwanted]
    new = written
    for item in unwanted:
        new = re.sub(rf"(\"{re.escape(item)}\"|'{re.escape(item)}')[ \t]*(,[ \t]*)?", "", new)
    new = re.sub(r",[ \t]*\]$", "]", new) if "\n" not in new else new
    return found.with_span(place, new if _reads_as(new, kept) else toml_value(kept))


def _reads_as(written: str, items: list[JSONValue]) -> bool:
    try:
        return bool(tomllib.loads(f"items = {written}")["items"] == items)
    except tomllib.TOMLDecodeError:
        return False


def text_with_plugin_name(text: str, before: str, after: str, below: KeyPath = ()) -> str | None:
    """Headers and dotted keys of a plugin, or of a part of it, under another name; None if there are none."""
    found = _Text(text)
    name = rf"(?:{re.escape(toml_string(before))}|'{re.escape(before)}'"
    name += rf"|{re.escape(before)})" if toml_key(before) == before else ")"
    pattern = re.compile(rf"^(\s*\[?\s*plugins\s*\.\s*){name}(?=\s*[.\]=])")
    lines = list(found.lines)
    changed = False
    prefix = ("plugins", before, *below)
    for number in {place.line for path, place in found.places.items() if path[: len(prefix)] == prefix}:
        new = pattern.sub(lambda match: match[1] + toml_key(after), lines[number - 1])
        changed = changed or new != lines[number - 1]
        lines[number - 1] = new
    return found.bom + "".join(lines) if changed else None
