"""Helm's value and mode flags, read from the words as typed (spf13/pflag@v1.0.10, as both Helms use it)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from helmguard.errors import UsageError
from helmguard.values.go_format import quote

_SET_FLAGS = {
    "set": "set",
    "set-string": "set_string",
    "set-json": "set_json",
    "set-file": "set_file",
    "set-literal": "set_literal",
}
_MODE_FLAGS = {
    "reset-values": "reset_values",
    "reuse-values": "reuse_values",
    "reset-then-reuse-values": "reset_then_reuse_values",
    "skip-schema-validation": "skip_schema_validation",
}
# Flags without an argument that often stand beside the value flags and have nothing to say about values.
_SILENT_FLAGS = frozenset(
    {
        "atomic",
        "cleanup-on-fail",
        "create-namespace",
        "debug",
        "dependency-update",
        "devel",
        "disable-openapi-validation",
        "enable-dns",
        "force",
        "force-conflicts",
        "force-replace",
        "hide-notes",
        "hide-secret",
        "install",
        "no-hooks",
        "render-subchart-notes",
        "replace",
        "rollback-on-failure",
        "skip-crds",
        "take-ownership",
        "verify",
        "wait",
        "wait-for-jobs",
    }
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})


class ValueMode(StrEnum):
    """Which of Helm's six ways with the old values a command takes."""

    INSTALL = "install"
    RESET = "reset"
    REUSE = "reuse"
    RESET_THEN_REUSE = "reset-then-reuse"
    NONE_GIVEN = "none given: previous reused"
    GIVEN = "given: reset"


class ValueFlags(msgspec.Struct):
    """The flags of one command: files left to right, words of each ``--set`` flag in order.

    Helm applies them in a fixed order whatever their order on the command line: files, ``--set-json``,
    ``--set``, ``--set-string``, ``--set-file``, ``--set-literal``.
    """

    files: list[str] = []
    set_json: list[str] = []
    set: list[str] = []
    set_string: list[str] = []
    set_file: list[str] = []
    set_literal: list[str] = []
    reset_values: bool = False
    reuse_values: bool = False
    reset_then_reuse_values: bool = False
    skip_schema_validation: bool = False


def parse_value_flags(words: Sequence[str]) -> ValueFlags:
    """Read ``-f a.yaml --set x=1 --reuse-values=false ...``.

    Raises:
        UsageError: an unknown flag, a flag without its argument, a word that is no flag (Helm's text).
    """
    flags = ValueFlags()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word.startswith("--") and len(word) > 2:
            _read_long(flags, word[2:], rest)
        elif word.startswith("-") and len(word) > 1 and word != "--":
            _read_short(flags, word[1:], rest)
        else:
            raise UsageError(f"unexpected argument {word!r}", remedy="give only value flags here")
    return flags


def _read_long(flags: ValueFlags, text: str, rest: list[str]) -> None:
    name, equals, argument = text.partition("=")
    if name in _MODE_FLAGS:
        setattr(flags, _MODE_FLAGS[name], _boolean(name, argument) if equals else True)
        return
    if name in _SILENT_FLAGS:
        return
    if name != "values" and name not in _SET_FLAGS:
        raise UsageError(f"unknown flag: --{name}", remedy="see `helm upgrade --help` for the value flags")
    if not equals:
        if not rest:
            raise UsageError(f"flag needs an argument: --{name}")
        argument = rest.pop(0)
    if name == "values":
        flags.files.extend(_split_files(argument, "-f, --values"))
    else:
        # Bytes that are no UTF-8 come as surrogates from the command line; Go reads U+FFFD for each.
        getattr(flags, _SET_FLAGS[name]).append(_SURROGATE.sub("\ufffd", argument))


def _read_short(flags: ValueFlags, text: str, rest: list[str]) -> None:
    while text:
        letter, text = text[0], text[1:]
        if letter == "i":
            if text.startswith("="):
                return
            continue
        if letter != "f":
            raise UsageError(f"unknown shorthand flag: '{letter}' in -{letter}{text}")
        if text:
            argument = text.removeprefix("=")
        elif rest:
            argument = rest.pop(0)
        else:
            raise UsageError("flag needs an argument: 'f' in -f")
        flags.files.extend(_split_files(argument, "-f, --values"))
        return


def _boolean(name: str, text: str) -> bool:
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise UsageError(
        f'invalid argument {quote(text)} for "--{name}" flag: '
        f"strconv.ParseBool: parsing {quote(text)}: invalid syntax"
    )


def _split_files(text: str, flag: str) -> list[str]:
    """The names in one ``-f`` argument: one record of Go's CSV, so a quoted name may hold commas."""
    if '"' not in text and "\n" not in text:
        return text.split(",") if text else []
    try:
        return _first_csv_record(text)
    except ValueError as error:
        raise UsageError(f'invalid argument {quote(text)} for "{flag}" flag: {error}') from None


def _first_csv_record(text: str) -> list[str]:
    text = text.replace("\r\n", "\n").lstrip("\n")
    if not text:
        raise ValueError("EOF")
    fields: list[str] = []
    position = 0
    while True:
        if text[position : position + 1] == '"':
            value, position = _quoted_field(text, position + 1)
        else:
            end = min(
                (text.find(mark, position) for mark in ",\n" if mark in text[position:]), default=len(text)
            )
            value, position = text[position:end], end
            if '"' in value:
                column = len(text[: position - len(value) + value.index('"')].encode()) + 1
                raise ValueError(f'parse error on line 1, column {column}: bare " in non-quoted field')
        fields.append(value)
        if text[position : position + 1] != ",":
            return fields
        position += 1


def _quoted_field(text: str, position: int) -> tuple[str, int]:
    value = ""
    while (end := text.find('"', position)) >= 0:
        value += text[position:end]
        position = end + 1
        if text[position : position + 1] != '"':
            if text[position : position + 1] not in ("", ",", "\n"):
                raise ValueError(
                    f'parse error on line 1, column {position}: extraneous or missing " in quoted-field'
                )
            return value, position
        value += '"'
        position += 1
    raise ValueError(
        f'parse error on line 1, column {len(text) + 1}: extraneous or missing " in quoted-field'
    )
