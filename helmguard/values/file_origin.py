"""Where in a values file a key stands, looked up only when somebody asks: that costs thrice the reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

import msgspec

from helmguard.manifest import yaml
from helmguard.model.value_change import Provenance, ProvenanceKind

FilePath: TypeAlias = tuple[str | int, ...]


class Positions:
    """Line and column of every key of a YAML document that begins after ``lines_before`` lines of a file."""

    def __init__(self, document: bytes, lines_before: int = 0) -> None:
        self.document = document
        self.lines_before = lines_before

    @cached_property
    def _places(self) -> Mapping[FilePath, tuple[int, int]]:
        return yaml.load_with_positions(self.document)[1]

    def of(self, path: FilePath) -> tuple[int, int]:
        """Line and column from 1, (0, 0) for a path that is not in the document."""
        line, column = self._places.get(path, (0, 0))
        return (line + self.lines_before, column) if line else (0, 0)


class FileOrigin(msgspec.Struct, frozen=True):
    """A key's place in a values file that has not been looked up yet."""

    kind: ProvenanceKind
    source: str
    path: FilePath
    positions: Positions

    def provenance(self) -> Provenance:
        """The same with line and column."""
        line, column = self.positions.of(self.path)
        return Provenance(self.kind, self.source, line=line, column=column)


Origin: TypeAlias = Provenance | FileOrigin


class ProvenanceMap(Mapping[FilePath, Provenance]):
    """Provenances by path; places in files are looked up when an entry is read."""

    def __init__(self, origins: dict[FilePath, Origin]) -> None:
        self._origins = origins

    def __getitem__(self, path: FilePath) -> Provenance:
        origin = self._origins[path]
        if isinstance(origin, FileOrigin):
            origin = self._origins[path] = origin.provenance()
        return origin

    def __contains__(self, path: object) -> bool:
        return path in self._origins

    def __iter__(self) -> Iterator[FilePath]:
        return iter(self._origins)

    def __len__(self) -> int:
        return len(self._origins)

    def __repr__(self) -> str:
        return f"ProvenanceMap({len(self._origins)} paths)"
