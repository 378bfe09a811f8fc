"""The values that a release's layers give, laid over each other in their order."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.errors import ValuesError, ValuesFileError
from helmguard.manifest import yaml
from helmguard.model.declared_release import ValuesLayer
from helmguard.model.value_change import Provenance
from helmguard.values.differences import HelmDialect
from helmguard.values.set_words import SetFlag, parse_set_word
from helmguard.values.table import Table, ValuePath, merge_maps, tables_from
from helmguard.values.values_text import ValuesTextError, read_values_document, read_values_text

_FLAGS: dict[str, SetFlag] = {
    "set": "--set",
    "set-string": "--set-string",
    "set-json": "--set-json",
    "set-file": "--set-file",
}


def given_values(layers: Iterable[ValuesLayer], dialect: HelmDialect) -> Table:
    """One table of all layers; what an unknown layer sets is not in it.

    Raises:
        ValuesError: a layer that Helm refuses, with file and line where they are known.
    """
    values = Table()
    for layer in layers:
        if layer.kind == "unknown":
            continue
        if layer.kind in _FLAGS:
            _set(layer, values, dialect)
            continue
        values = merge_maps(values, _table(layer, dialect))
    return values


def _table(layer: ValuesLayer, dialect: HelmDialect) -> Table:
    if layer.kind == "data":
        lines = _written_lines(layer)

        def origin(path: ValuePath) -> Provenance:
            return Provenance("values file", layer.source, line=lines.get(path, layer.line))

        table: Table = tables_from(layer.data or {}, origin)
        return table
    try:
        if not layer.inside and not layer.lines_before:
            return read_values_text(layer.text, dialect, "values file", layer.source)
        whole = read_values_document(layer.text, layer.lines_before, dialect, "values file", layer.source)
    except ValuesTextError as error:
        raise ValuesFileError(
            f"failed to parse {layer.source}: {error.message}",
            file=layer.source,
            line=error.line,
            column=error.column,
            remedy=f"Correct {layer.source}{f', line {error.line}' if error.line else ''}.",
        ) from None
    return _inside(whole, layer)


def _written_lines(layer: ValuesLayer) -> dict[ValuePath, int]:
    """The lines of the values that the text has, too: patches and substitution leave most where they are."""
    if not layer.text:
        return {}
    depth = len(layer.inside)
    return {
        path[depth:]: line + layer.lines_before
        for path, (line, _) in yaml.load_with_positions(layer.text)[1].items()
        if path[:depth] == layer.inside
    }


def _inside(table: Table, layer: ValuesLayer) -> Table:
    for step in layer.inside:
        below = table.get(step)
        if below is None:
            return Table()
        if not isinstance(below, Table):
            raise ValuesFileError(
                f"{layer.source}: {'.'.join(layer.inside)} is no map of values",
                file=layer.source,
                remedy="Write the values as a map.",
            )
        table = below
    return table


def _set(layer: ValuesLayer, values: Table, dialect: HelmDialect) -> None:
    flag = _FLAGS[layer.kind]
    try:
        parse_set_word(
            layer.word,
            flag,
            values,
            lenient_index_end=dialect.lenient_index_end,
            read_file=lambda _: layer.text,
        )
    except ValuesError as error:
        raise ValuesFileError(
            f"{layer.source}: failed parsing {flag} data: {error.message}",
            file=layer.source,
            line=layer.line,
            remedy=error.remedy,
        ) from None
