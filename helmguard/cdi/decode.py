"""A CDI spec's YAML as the library's structs take it in: strict about fields and types, lenient about texts.

The library reads by ``sigs.k8s.io/yaml`` ``UnmarshalStrict``: keys match without regard to case, an unknown
field or a key that is set twice is refused, numbers and booleans become text where text is wanted, and
``null`` leaves a field as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from helmguard.cdi.fields import Field, Flag, ListOf, Shape, Table, Text, Texts, Whole
from helmguard.cdi.library import SPEC_VERSIONS, CdiLibrary
from helmguard.cdi.spec import SpecProblem
from helmguard.manifest.numbers import format_g, json_number
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.values.go_format import quote

Path = tuple[str | int, ...]

_NAMES = {
    Text: "a text",
    Flag: "true or false",
    Whole: "a whole number",
    Texts: "a map of texts",
    ListOf: "a list",
    Table: "a map",
}


class Decoder:
    """One reading.

    ``problems`` are what does not fit, ``lines`` where each decoded part stands, by its path.
    """

    def __init__(self, library: CdiLibrary, positions: Mapping[Path, tuple[int, int]]) -> None:
        self._library, self._positions = library, positions
        self.problems: list[SpecProblem] = []
        self.lines: dict[Path, int] = {}

    def decode(self, shape: Table, value: JSONValue) -> JSONObject:
        """The fields by their own names; those that are not set have Go's zero values."""
        found: JSONObject = self._decode(shape, value, (), (), None)
        return found

    def _decode(
        self, shape: Shape, value: JSONValue, path: Path, source: Path, before: JSONValue
    ) -> JSONValue:
        self.lines[path] = self._positions.get(source, (0, 0))[0]
        if value is None:
            return _null(shape, before)
        match shape:
            case Table() if isinstance(value, dict):
                return self._table(shape, value, path, source, before)
            case ListOf(item) if isinstance(value, list):
                return [
                    self._decode(item, one, (*path, index), (*source, index), None)
                    for index, one in enumerate(value)
                ]
            case Texts() if isinstance(value, dict):
                return {
                    key: self._decode(Text(), one, (*path, key), (*source, key), None)
                    for key, one in value.items()
                }
            case Text() if not isinstance(value, dict | list):
                return _as_text(value)
            case Flag() if isinstance(value, bool):
                return value
            case Whole(low, high) if (number := _whole(value)) is not None and low <= number <= high:
                return number
        self._complain(source, f"{_written(source)} is not {_NAMES[type(shape)]}")
        return _null(shape, None)

    def _table(
        self, shape: Table, value: JSONObject, path: Path, source: Path, before: JSONValue
    ) -> JSONValue:
        found = before if isinstance(before, dict) else _empty(shape)
        # The library makes JSON with sorted keys of it first: of two keys for one field, the later one holds.
        for key in sorted(value, key=lambda text: text.encode("utf-8", "surrogatepass")):
            field = self._field(shape, key)
            if field is None:
                self._complain((*source, key), self._unknown(shape, key, source))
                continue
            found[field.name] = self._decode(
                field.shape, value[key], (*path, field.name), (*source, key), found[field.name]
            )
        return found

    def _field(self, shape: Table, key: str) -> Field | None:
        known = [field for field in shape.fields if self._knows(field)]
        for field in known:
            if field.name == key:
                return field
        return next((field for field in known if _folded(field.name) == _folded(key)), None)

    def _knows(self, field: Field) -> bool:
        return self._library.knows(field.since) and (
            SPEC_VERSIONS.index(self._library.highest) <= SPEC_VERSIONS.index(field.until)
        )

    def _unknown(self, shape: Table, key: str, source: Path) -> str:
        where = f" in {_written(source)}" if source else ""
        for field in shape.fields:
            if _folded(field.name) == _folded(key):
                known = f"to {field.until}" if self._library.knows(field.since) else f"from {field.since} on"
                return f"the field {quote(key)}{where} is part of CDI {known}"
        return f"unknown field {quote(key)}{where}"

    def _complain(self, source: Path, text: str) -> None:
        self.problems.append(SpecProblem(text, self._positions.get(source, (0, 0))[0]))


def _empty(shape: Table) -> JSONObject:
    return {field.name: _null(field.shape, None) for field in shape.fields}


def _null(shape: Shape, before: JSONValue) -> JSONValue:
    """What ``null``, or nothing, leaves: lists, maps and pointers become empty, other fields stay."""
    match shape:
        case Text():
            return before or ""
        case Flag():
            return bool(before)
        case Table(pointer=False):
            return before if isinstance(before, dict) else _empty(shape)
        case _:
            return None


def _as_text(value: str | int | float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format_g(value, 32)
    return str(value)


def _whole(value: JSONValue) -> int | None:
    """A number whose JSON text has neither fraction nor exponent."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    text = json_number(value)
    return int(text) if text.lstrip("-").isdecimal() else None


def _folded(name: str) -> str:
    """Go's folding of JSON keys: ASCII letters, and the two others that fold to one."""
    return "".join(
        chr(ord(one) + 32) if "A" <= one <= "Z" else {"ſ": "s", "\u212a": "k"}.get(one, one) for one in name
    )


def _written(path: Path) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "the document"
