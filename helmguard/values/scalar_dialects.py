"""Scalars of values files that people and other tools read otherwise than Helm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from helmguard.model.value_facts import AmbiguousScalar
from helmguard.values.file_origin import FileOrigin
from helmguard.values.table import Table, ValuePath

_AFTER_KEY = re.compile(
    r"(?:[^:#]*?:\s+|-\s+)*(?P<scalar>[^\s#'\"{}\[\],&*!|>%@`][^#{}\[\],]*?)\s*(?:\s#.*)?$"
)
_BOOLEAN = re.compile(r"y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF")
_READINGS: tuple[tuple[re.Pattern[str], str], ...] = (
    (_BOOLEAN, "the text {0}"),
    (re.compile(r"[-+]?0o[0-7]+"), "the text {0}"),
    (re.compile(r"[-+]?0[0-7]+"), "the text or the decimal number {0}"),
    (re.compile(r"[-+]?\d+(?:\.\d*)?[eE][-+]?\d+"), "the text {0}"),
    (re.compile(r"[-+]?\d[\d]*(?:_\d+)+"), "the text {0}"),
    (re.compile(r"\d+\.\d*0"), "the version {0}"),
)
"""Forms of plain scalars, and what a reader takes them for that is not helm: YAML 1.2 knows ``true`` and
``false`` alone as booleans, and nobody means 1.1 by 1.10."""


def ambiguous_scalars(given: Table) -> Iterator[AmbiguousScalar]:
    """Plain scalars of the values files that this command gives, except where the reading is the same."""
    yield from _in(given, (), None)


def _in(value: Any, path: ValuePath, origin: Any) -> Iterator[AmbiguousScalar]:
    if isinstance(value, Table):
        for key, item in value.items():
            yield from _in(item, (*path, key), value.origins.get(key, origin))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _in(item, (*path, index), origin)
    elif isinstance(value, bool | int | float) and isinstance(origin, FileOrigin):
        found = _scalar(value, path, origin)
        if found is not None:
            yield found


def _scalar(value: bool | int | float, path: ValuePath, origin: FileOrigin) -> AmbiguousScalar | None:
    here = FileOrigin(origin.kind, origin.source, path, origin.positions)
    provenance = here.provenance()
    lines = origin.positions.document.split(b"\n")
    number = provenance.line - origin.positions.lines_before - 1
    if not provenance.line or number >= len(lines):
        return None
    text = lines[number].decode("utf-8", "replace").rstrip("\r")
    match = _AFTER_KEY.match(text[provenance.column - 1 :])
    written = match["scalar"].strip() if match else ""
    for form, otherwise in _READINGS:
        if form.fullmatch(written):
            shown = int(value) if isinstance(value, float) and value.is_integer() else value
            return AmbiguousScalar(path, written, shown, otherwise.format(written), provenance)
    return None
