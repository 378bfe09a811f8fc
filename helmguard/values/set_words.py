"""What ``--set``, ``--set-string``, ``--set-json``, ``--set-file`` and ``--set-literal`` make of their words.

A port of the rules (not the code) of helm/helm@v3.22.0 pkg/strvals/parser.go and literal_parser.go, and of
what helm/helm@v4.3.1 changed there: an end of text inside an index is an error in Helm 3 and ends the word
silently in Helm 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import msgspec

from helmguard.errors import ValuesError
from helmguard.model.value_change import Provenance
from helmguard.values.go_format import go_type, quote, quote_runes
from helmguard.values.go_json import GoJSONError, decode_first
from helmguard.values.table import Table, tables_from

SetFlag = Literal["--set", "--set-string", "--set-json", "--set-file", "--set-literal"]
ReadFile: TypeAlias = Callable[[str], bytes]

MAX_INDEX = 65536
MAX_NESTING = 30

_INTEGER = re.compile(r"[+-]?[0-9]+")
_GO_BLANKS = frozenset("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {
    chr(code) for code in range(0x2000, 0x200B)
}


def parse_set_word(
    word: str, flag: SetFlag, values: Table, *, lenient_index_end: bool, read_file: ReadFile
) -> None:
    """Apply one word of one flag to ``values``, in place.

    ``lenient_index_end`` is Helm 4's way with an unclosed ``[``. ``read_file`` serves ``--set-file``; an
    OSError it raises is put into Helm's words.

    Raises:
        ValuesError: with Helm's text from the reason on (``key "a" has no value``); ``values`` is then
        spoilt.
    """
    _Parser(word, flag, values, lenient_index_end, read_file).parse()


class _Stop(msgspec.Struct, frozen=True):
    """Why parsing a key stopped: the end of the word (``end``, which is fine) or an error's text."""

    message: str
    end: bool = False
    inside_index: bool = False


_END = _Stop("EOF", end=True)


class _PanicError(Exception):
    """Helm's parser met a value of another type than the key asks for."""


class _Parser:
    def __init__(
        self, word: str, flag: SetFlag, values: Table, lenient_index_end: bool, read_file: ReadFile
    ) -> None:
        self.text = word
        self.position = 0
        self.start = 0
        self.flag: SetFlag = flag
        self.values = values
        self.lenient_index_end = lenient_index_end
        self.read_file = read_file
        self.literal = flag == "--set-literal"
        self.touched: list[tuple[Table, str]] = []

    def parse(self) -> None:
        while True:
            self.start, self.touched = self.position, []
            stop = self.key(self.values, 0)
            self.note_origins()
            if stop is None:
                continue
            if stop.end and (self.lenient_index_end or not stop.inside_index):
                return
            raise ValuesError(stop.message)

    def origin(self) -> Provenance:
        """The part of the word that has been read since the last comma that ended a key."""
        return Provenance(self.flag, self.text[self.start : self.position].rstrip(", "))

    def note_origins(self) -> None:
        origin = self.origin()
        for table, key in self.touched:
            table.origins[key] = origin

    # Reading ----------------------------------------------------------------------------------------------

    def read(self) -> str | None:
        if self.position >= len(self.text):
            return None
        character = self.text[self.position]
        self.position += 1
        return character

    def until(self, stops: str) -> tuple[str, str | None]:
        """The text up to a character of ``stops`` (consumed, returned) or the end (None); ``\\`` escapes."""
        taken: list[str] = []
        while (character := self.read()) is not None:
            if character in stops:
                return "".join(taken), character
            if character == "\\" and not self.literal:
                character = self.read()
                if character is None:
                    break
            taken.append(character)
        return "".join(taken), None

    def skip_blanks(self) -> bool:
        """Consume blanks, and a comma after them; True when nothing but these (or the end) was there."""
        while (character := self.read()) is not None:
            if character == ",":
                return True
            if character not in _GO_BLANKS:
                self.position -= 1
                return False
        return True

    # Keys -------------------------------------------------------------------------------------------------

    def set(self, table: Table, key: str, value: Any) -> None:
        if key:
            table.put(key, value, None)
            self.touched.append((table, key))

    def key(self, table: Table, nesting: int) -> _Stop | None:
        try:
            return self.one_key(table, nesting)
        except _PanicError as panic:
            return _Stop(f"unable to parse key: {panic}")

    def one_key(self, table: Table, nesting: int) -> _Stop | None:
        key, last = self.until("=[." if self.literal else "=[,.")
        if last is None:
            return _Stop(f"key {quote(key)} has no value") if key else _END
        if last == "[":
            return self.indexed_key(table, key, nesting)
        if last == ".":
            return self.nested_key(table, key, nesting + 1)
        if last == ",":
            self.set(table, key, "")
            return _Stop(f"key {quote(key)} has no value (cannot end with ,)")
        value, stop, given = self.value_after_equals()
        if given:
            self.set(table, key, value)
        return stop

    def indexed_key(self, table: Table, key: str, nesting: int) -> _Stop | None:
        index, stop = self.index()
        if stop is not None:
            return _in_index(stop)
        items = table.get(key, [])
        if not isinstance(items, list):
            raise _PanicError(_conversion(items, "[]interface {}"))
        items, stop = self.list_item(items, index, nesting)
        self.set(table, key, items)
        return stop

    def nested_key(self, table: Table, key: str, nesting: int) -> _Stop | None:
        if nesting > MAX_NESTING:
            return _Stop(
                f"value name nested level is greater than maximum supported nested level of {MAX_NESTING}"
            )
        inner = table.get(key, Table())
        if not isinstance(inner, Table):
            raise _PanicError(_conversion(inner, "map[string]interface {}"))
        stop = self.key(inner, nesting)
        if stop is None and not inner:
            return _Stop(f"key map {quote(key)} has no value")
        if inner:
            self.set(table, key, inner)
        return stop

    # Lists ------------------------------------------------------------------------------------------------

    def index(self) -> tuple[int, _Stop | None]:
        text, last = self.until("]")
        if last is None:
            return 0, _END
        if _INTEGER.fullmatch(text) is None:
            return 0, _Stop(f"strconv.Atoi: parsing {quote(text)}: invalid syntax")
        index = int(text)
        if not -(2**63) <= index < 2**63:
            return 0, _Stop(f"strconv.Atoi: parsing {quote(text)}: value out of range")
        return index, None

    def list_item(self, items: list[Any], index: int, nesting: int) -> tuple[list[Any], _Stop | None]:
        if index < 0:
            return items, _Stop(f"negative {index} index not allowed")
        text, last = self.until("[.=")
        if text:
            return items, _Stop(f"unexpected data at end of array index: {quote_runes(text)}")
        if last is None:
            return items, _END
        if last == "=":
            value, stop, given = self.value_after_equals()
            if stop is not None and not stop.end:
                return items, stop
            return _set_index(items, index, value) if given else (items, stop)
        if last == "[":
            return self.list_in_list(items, index, nesting)
        return self.table_in_list(items, index, nesting)

    def list_in_list(self, items: list[Any], index: int, nesting: int) -> tuple[list[Any], _Stop | None]:
        next_index, stop = self.index()
        if stop is not None:
            return items, _in_index(stop)
        inner: Any = items[index] if len(items) > index and items[index] is not None else []
        if not isinstance(inner, list):
            raise _PanicError(_conversion(inner, "[]interface {}"))
        inner, stop = self.list_item(inner, next_index, nesting)
        if stop is not None:
            return items, stop
        return _set_index(items, index, inner)

    def table_in_list(self, items: list[Any], index: int, nesting: int) -> tuple[list[Any], _Stop | None]:
        inner = Table()
        if len(items) > index:
            existing = items[index]
            if isinstance(existing, Table):
                inner = existing
            else:
                items[index] = inner
        stop = self.key(inner, nesting)
        if stop is not None:
            return items, stop
        return _set_index(items, index, inner)

    # Values -----------------------------------------------------------------------------------------------

    def value_after_equals(self) -> tuple[Any, _Stop | None, bool]:
        """The value, why parsing stops if it does, and whether there is a value to set."""
        if self.literal:
            rest, self.position = self.text[self.position :], len(self.text)
            return rest, None, True
        if self.flag == "--set-json":
            return self.json_value()
        listed, stop, is_list = self.brace_list()
        if is_list:
            return listed, stop, stop is None
        if stop is not None:
            return "", stop, True
        text, _ = self.until(",")
        value, stop = self.typed(text)
        return value, stop, True

    def json_value(self) -> tuple[Any, _Stop | None, bool]:
        if self.skip_blanks():
            return None, None, True
        try:
            value, length = decode_first(self.text[self.position :])
        except GoJSONError as error:
            return None, _Stop(str(error)), False
        self.position += length
        origin = self.origin()
        self.skip_blanks()
        return tables_from(value, lambda _: origin), None, True

    def brace_list(self) -> tuple[list[Any], _Stop | None, bool]:
        """A list in braces; the last item tells whether there was one."""
        first = self.read()
        if first is None:
            return [], _END, False
        if first != "{":
            self.position -= 1
            return [], None, False
        items: list[Any] = []
        while True:
            text, last = self.until(",}")
            if last is None:
                return items, _Stop("list must terminate with '}'"), True
            if last == "}" and self.text[self.position : self.position + 1] == ",":
                self.position += 1
            value, stop = self.typed(text)
            if stop is not None:
                return items, stop, True
            items.append(value)
            if last == "}":
                return items, None, True

    def typed(self, text: str) -> tuple[Any, _Stop | None]:
        if self.flag == "--set":
            return typed_value(text), None
        if self.flag == "--set-string":
            return text, None
        try:
            return self.read_file(text).decode("utf-8", "replace"), None
        except OSError as error:
            return None, _Stop(os_error_text(text, error))


def _in_index(stop: _Stop) -> _Stop:
    return _Stop(f"error parsing index: {stop.message}", end=stop.end, inside_index=True)


def _conversion(value: Any, wanted: str) -> str:
    return f"interface conversion: interface {{}} is {go_type(value)}, not {wanted}"


def _set_index(items: list[Any], index: int, value: Any) -> tuple[list[Any], _Stop | None]:
    if index > MAX_INDEX:
        return items, _Stop(f"index of {index} is greater than maximum supported index of {MAX_INDEX}")
    if len(items) <= index:
        items = items + [None] * (index + 1 - len(items))
    items[index] = value
    return items, None


def typed_value(text: str) -> Any:
    """The typed value of ``--set``: true, false and null in any case, integers of 64 bits, else text."""
    # The long s is the one letter beyond ASCII that Go's case folding puts together with a letter of these.
    folded = text.replace("\u017f", "s").lower() if len(text) <= 5 else ""
    if folded in ("true", "false"):
        return folded == "true"
    if folded == "null":
        return None
    if text == "0":
        return 0
    if not text.startswith("0") and _INTEGER.fullmatch(text):
        number = int(text) if len(text.lstrip("+-").lstrip("0")) < 20 else 2**63
        if -(2**63) <= number < 2**63:
            return number
    return text


def os_error_text(name: str, error: OSError) -> str:
    """Go's words for a file that cannot be read: ``open NAME: no such file or directory``."""
    verb = "read" if isinstance(error, IsADirectoryError) else "open"
    reason = (error.strerror or str(error)).lower()
    return f"{verb} {name}: {reason}"
