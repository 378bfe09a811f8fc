"""Where a value comes from, and how a command changes it."""

from __future__ import annotations

from typing import Literal

import msgspec

from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue

ProvenanceKind = Literal[
    "chart default",
    "subchart default",
    "previous revision",
    "values file",
    "--set",
    "--set-string",
    "--set-json",
    "--set-file",
    "--set-literal",
    "import-values",
    "null",
]


class Provenance(msgspec.Struct, frozen=True):
    """The source of one leaf of the effective values.

    ``source`` is the chart's name, the values file's name, or the flag's word as typed; ``revision`` the
    release revision that first set a value taken from the stored config (0: not from a revision); ``line``
    and ``column`` count from 1, 0 when unknown.
    """

    kind: ProvenanceKind
    source: str = ""
    revision: int = 0
    line: int = 0
    column: int = 0


ValueCause = Literal["values", "default", "lost override", "chart"]
"""``values``: this command's input; ``default``: a chart default changed; ``lost override``: the user set it
in an earlier revision and this command loses it; ``chart``: its structure (a sub-chart came or went)."""


class ValueChange(msgspec.Struct, frozen=True):
    """One leaf of the effective values that differs; ``before`` and ``after`` may be MISSING."""

    path: FieldPath
    before: JSONValue
    after: JSONValue
    cause: ValueCause
    provenance_before: Provenance | None = None
    provenance_after: Provenance | None = None
    note: str = ""


ValueWarningKind = Literal[
    "override dropped without effect",
    "new default ignored",
    "stale default",
    "list replaced",
    "type changed",
    "unknown key",
    "table conflict",
    "helm",
]


class ValueWarning(msgspec.Struct, frozen=True):
    """Something about the values that changes nothing now and still deserves eyes.

    ``nearest`` is the chart's key that looks like an unknown one, empty where none does. ``items`` are what a
    list loses, in words without values.
    """

    kind: ValueWarningKind
    path: FieldPath
    message: str
    before: JSONValue = None
    after: JSONValue = None
    nearest: str = ""
    provenance: Provenance | None = None
    items: tuple[str, ...] = ()

    @property
    def is_idle(self) -> bool:
        """An empty default that does not arrive: templates take nothing and an empty value alike."""
        return self.kind == "new default ignored" and self.after in (None, "", [], {})
