"""The values a user gives with one command, merged in Helm's fixed order (helm pkg/cli/values/options.go)."""

from __future__ import annotations

from helmguard.errors import ValuesError, ValuesFileError
from helmguard.model.value_change import Provenance
from helmguard.values.differences import HelmDialect
from helmguard.values.flag_words import ValueFlags
from helmguard.values.go_json import GoJSONError, decode_all
from helmguard.values.set_words import ReadFile, SetFlag, os_error_text, parse_set_word
from helmguard.values.table import Table, merge_maps, tables_from
from helmguard.values.values_text import ValuesTextError, read_values_text


def merge_user_values(flags: ValueFlags, dialect: HelmDialect, read_file: ReadFile) -> Table:
    """All values of the flags in one table; later sources win, whatever the order on the command line.

    ``read_file`` gives a file's bytes for a name as typed (``-`` is standard input) or raises OSError.

    Raises:
        ValuesError: a word or file that Helm refuses, with Helm's text.
    """
    values = Table()
    for name in flags.files:
        values = merge_maps(values, _read_values_file(name, dialect, read_file))
    for word in flags.set_json:
        values = _apply_set_json(word, values, dialect, read_file)
    by_flag: tuple[tuple[SetFlag, list[str]], ...] = (
        ("--set", flags.set),
        ("--set-string", flags.set_string),
        ("--set-file", flags.set_file),
        ("--set-literal", flags.set_literal),
    )
    for flag, words in by_flag:
        for word in words:
            try:
                _parse(word, flag, values, dialect, read_file)
            except ValuesError as error:
                raise ValuesError(
                    f"failed parsing {flag} data: {error.message}", remedy=error.remedy
                ) from None
    return values


def _parse(word: str, flag: SetFlag, values: Table, dialect: HelmDialect, read_file: ReadFile) -> None:
    parse_set_word(word, flag, values, lenient_index_end=dialect.lenient_index_end, read_file=read_file)


def _read_values_file(name: str, dialect: HelmDialect, read_file: ReadFile) -> Table:
    try:
        data = read_file(name)
    except OSError as error:
        raise ValuesFileError(
            os_error_text(name, error), file=name, remedy=f"check the path given with -f: {name}"
        ) from None

    try:
        return read_values_text(data, dialect, "values file", name)
    except ValuesTextError as error:
        raise ValuesFileError(
            f"failed to parse {name}: {error.message}",
            file=name,
            line=error.line,
            column=error.column,
            remedy=f"correct {name}{_at(error)}",
        ) from None


def _at(error: ValuesTextError) -> str:
    """``, line 3, column 5``, as far as they are known."""
    places = (("line", error.line), ("column", error.column))
    return "".join(f", {name} {number}" for name, number in places if number)


def _apply_set_json(word: str, values: Table, dialect: HelmDialect, read_file: ReadFile) -> Table:
    if dialect.set_json_object and word.strip().startswith("{"):
        try:
            given = decode_all(word.strip())
        except GoJSONError:
            raise ValuesError(f"failed parsing --set-json data JSON: {word}") from None
        origin = Provenance("--set-json", word)
        return merge_maps(values, tables_from(given, lambda _: origin))
    try:
        _parse(word, "--set-json", values, dialect, read_file)
    except ValuesError:
        raise ValuesError(f"failed parsing --set-json data {word}") from None
    return values
