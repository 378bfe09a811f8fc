"""Where the leaves of a table of values come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helmguard.model.value_change import Provenance
from helmguard.values.file_origin import FileOrigin, Origin, ProvenanceMap
from helmguard.values.table import Table, ValuePath

Provenances = Mapping[ValuePath, Provenance]


def leaf_provenance(values: Table) -> Provenances:
    """The provenance of each leaf: a scalar, a null, an empty table, a list, and the leaves inside lists."""
    return ProvenanceMap(dict(_leaves(values, (), None)))


def removed_by_null(values: Table) -> dict[ValuePath, Provenance]:
    """The keys that a null took away, and where the null stands."""
    return dict(_removed(values, ()))


def is_given(origin: Provenance) -> bool:
    """Whether a value (or the null that removed one) was given with this very command."""
    if origin.kind == "null":
        return origin.revision == 0 and bool(origin.source)
    return origin.kind.startswith("--") or origin.kind == "values file"


def origin_of(path: ValuePath, provenances: Provenances) -> Provenance | None:
    """The provenance of a path: its own, that of the leaf it lies in, or one of the leaves below it.

    Of several leaves below, one given with this command comes first.
    """
    for length in range(len(path), 0, -1):
        if path[:length] in provenances:
            return provenances[path[:length]]
    below = [origin for other, origin in provenances.items() if other[: len(path)] == path]
    return next((origin for origin in below if is_given(origin)), below[0] if below else None)


def _leaves(value: Any, path: ValuePath, origin: Origin | None) -> list[tuple[ValuePath, Origin]]:
    found: list[tuple[ValuePath, Origin]] = []
    if isinstance(value, Table):
        for key, item in value.items():
            found.extend(_leaves(item, (*path, key), value.origins.get(key, origin)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found.extend(_leaves(item, (*path, index), origin))
    if origin is not None and not (isinstance(value, Table) and value):
        found.append((path, origin))
    return found


def _removed(value: Any, path: ValuePath) -> list[tuple[ValuePath, Provenance]]:
    found: list[tuple[ValuePath, Provenance]] = []
    if isinstance(value, Table):
        for key, origin in value.removed.items():
            found.append(((*path, key), _null_at(origin)))
        for key, item in value.items():
            found.extend(_removed(item, (*path, key)))
    return found


def _null_at(origin: Origin) -> Provenance:
    if isinstance(origin, FileOrigin):
        origin = origin.provenance()
    source = f"{origin.kind} {origin.source}" if origin.kind.startswith("--") else origin.source
    return Provenance("null", source, origin.revision, origin.line, origin.column)
