"""The contents of ``.helmguard.yaml`` as data. docs/helmguard.yaml.md describes the file."""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from helmguard.model.chart_map import MappedChart
from helmguard.model.finding import FailOn, Severity
from helmguard.model.release_entry import ReleaseEntry

OverrideSeverity = Severity | Literal["disabled"]


class Entry(msgspec.Struct, frozen=True):
    """Where an entry of a list stands; ``line`` and ``column`` count from 1."""

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class FindingMatch(msgspec.Struct, frozen=True):
    """Globs over a finding and the release it is about; an empty one matches whatever there is.

    ``release`` and ``namespace`` are the release's, ``name`` is the finding's object (``Deployment/web``) or
    value (``driver.enabled``), ``field`` a path inside the object.
    """

    release: str = ""
    namespace: str = ""
    name: str = ""
    field: str = ""


class Override(msgspec.Struct, frozen=True):
    """Another severity for a rule's findings. ``allow_data_loss``: also where data is at stake, and lower."""

    entry: Entry
    rule: str
    severity: OverrideSeverity
    reason: str
    match: FindingMatch = msgspec.field(default_factory=FindingMatch)
    allow_data_loss: bool = False


class Ignore(msgspec.Struct, frozen=True):
    """Changes and drift of fields that nobody wants to hear of; at least ``path`` or ``manager`` is given.

    All but ``path``, which is a path glob, are globs over names; an empty one matches whatever there is.
    ``expires`` is the last day on which it holds, None for no end.
    """

    entry: Entry
    reason: str
    path: str = ""
    kind: str = ""
    name: str = ""
    namespace: str = ""
    manager: str = ""
    expires: date | None = None


class WaiverEntry(msgspec.Struct, frozen=True):
    """Findings of a rule that somebody accepts; ``expires`` is the last day on which it holds.

    ``key`` is the finding's own (``Finding.waiver_key``), empty where ``match`` alone says which.
    """

    entry: Entry
    rule: str
    reason: str
    expires: date
    key: str = ""
    match: FindingMatch = msgspec.field(default_factory=FindingMatch)
    by: str = ""
    ticket: str = ""
    allow_data_loss: bool = False


class Config(msgspec.Struct, frozen=True):
    """One file, ``file`` as it is shown; empty where there is none.

    ``rules`` are folders as written, as is the ``path`` of ``charts``: relative to the file.
    """

    file: str = ""
    fail_on: FailOn | None = None
    fail_on_unknown: bool | None = None
    rules: tuple[tuple[Entry, str], ...] = ()
    overrides: tuple[Override, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    waivers: tuple[WaiverEntry, ...] = ()
    charts: tuple[MappedChart, ...] = ()
    releases: tuple[ReleaseEntry, ...] = ()
