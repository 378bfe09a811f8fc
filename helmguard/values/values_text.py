"""A values file's text as Helm reads it: the first YAML document (Helm 3) or all of them (Helm 4)."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.manifest import yaml
from helmguard.model.value_change import ProvenanceKind
from helmguard.values.differences import HelmDialect
from helmguard.values.file_origin import FileOrigin, Origin, Positions
from helmguard.values.go_format import go_type
from helmguard.values.table import Table, ValuePath, merge_maps, tables_from


class ValuesTextError(Exception):
    """Text that Helm does not read as values: Helm's words, and where (0 when unknown)."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def read_values_text(data: bytes, dialect: HelmDialect, kind: ProvenanceKind, source: str) -> Table:
    """Parse a values file; one that holds nothing or ``null`` gives an empty table.

    ``kind`` and ``source`` are what the keys' provenance will say.

    Raises:
        ValuesTextError: the text is no YAML, or a document is no map.
    """
    if not dialect.every_document:
        return read_values_document(data, 0, dialect, kind, source)
    merged = Table()
    for document, line in _split_documents(data):
        merged = merge_maps(merged, read_values_document(document, line, dialect, kind, source))
    return merged


def _split_documents(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Documents and the number of lines before each (k8s.io/apimachinery pkg/util/yaml YAMLReader)."""
    start, pending = 0, list[bytes]()
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    for number, line in enumerate(lines):
        line = line.removesuffix(b"\r")
        if line.startswith(b"---"):
            rest = line[3:].decode("utf-8", "replace").strip()
            if rest and not rest.startswith("#"):
                message = f"error reading yaml document: invalid Yaml document separator: {rest}"
                raise ValuesTextError(message, number + 1)
            if pending:
                yield b"\n".join(pending) + b"\n", start
                pending, start = [], number + 1
                continue
        pending.append(line)
    if pending:
        yield b"\n".join(pending) + b"\n", start


def read_values_document(
    data: bytes, lines_before: int, dialect: HelmDialect, kind: ProvenanceKind, source: str
) -> Table:
    """Parse one document that begins after ``lines_before`` lines of its file.

    Raises:
        ValuesTextError: as `read_values_text`.
    """
    try:
        value = yaml.load(data)
    except yaml.YAMLError as error:
        raise ValuesTextError(
            f"{dialect.load_prefix}error converting YAML to JSON: {error.message}",
            error.line and error.line + lines_before,
            error.column,
        ) from None
    if value is None:
        return Table()
    if not isinstance(value, dict):
        given = _JSON_NAMES[go_type(value)]
        raise ValuesTextError(
            f"{dialect.load_prefix}error unmarshaling JSON: while decoding JSON: "
            f"json: cannot unmarshal {given} into Go value of type map[string]interface {{}}",
            lines_before + 1,
        )

    positions = Positions(data, lines_before)

    def origin_of(path: ValuePath) -> Origin:
        return FileOrigin(kind, source, path, positions)

    table: Table = tables_from(value, origin_of)
    return table


_JSON_NAMES = {
    "bool": "bool",
    "int64": "number",
    "float64": "number",
    "string": "string",
    "[]interface {}": "array",
}
