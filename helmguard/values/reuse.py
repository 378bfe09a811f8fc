"""Which values an upgrade starts from: Helm's modes (helm/helm@v3.22.0 pkg/action/upgrade.go reuseValues)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.value_change import Provenance
from helmguard.values.chart import Chart, ChartMetadata
from helmguard.values.coalesce import Coalescing
from helmguard.values.flag_words import ValueFlags, ValueMode
from helmguard.values.table import Table, ValuePath, tables_from
from helmguard.values.value_tree import find, same_value

ConfigHistory = Sequence[tuple[int, JSONObject | None]]
"""(revision, stored config) of a release, oldest first, up to the current revision."""


class CurrentRecord(msgspec.Struct):
    """The deployed record an upgrade builds on, its numbers as Helm reads them back (all float64)."""

    config: Table | None
    chart: Chart
    revision: int


def read_current(record: JSONObject, history: ConfigHistory = ()) -> CurrentRecord:
    """The parts of a release record that count for values: ``config``, ``chart.metadata``, ``chart.values``.

    ``version`` of the record is its revision (0 when absent). ``history`` tells which revision first set a
    value.
    """
    revision = int(record.get("version") or (history[-1][0] if history else 0))
    stored = record.get("chart") or {}
    metadata = stored.get("metadata") or {}
    name = str(metadata.get("name") or "")
    default = Provenance("chart default", name, revision=revision)

    def config_origin(path: ValuePath) -> Provenance:
        first = first_revision(record.get("config"), history, path) if history else 0
        return Provenance("previous revision", "", revision=first or revision)

    values, config = stored.get("values"), record.get("config")
    chart = Chart(
        metadata=ChartMetadata(name=name, version=str(metadata.get("version") or "")),
        values=None if values is None else tables_from(values, lambda _: default),
    )
    return CurrentRecord(None if config is None else tables_from(config, config_origin), chart, revision)


def first_revision(config: Any, history: ConfigHistory, path: ValuePath) -> int:
    """The first revision of the unbroken run up to the last in which ``path`` had the current value."""
    current = find(config, path)
    first = 0
    for revision, older in reversed(history):
        if not same_value(find(older, path), current):
            break
        first = revision
    return first


def choose_mode(flags: ValueFlags, given: Table, current: CurrentRecord | None) -> ValueMode:
    """Helm's precedence: reset, reuse, reset-then-reuse; without any, whether values were given decides."""
    if current is None:
        return ValueMode.INSTALL
    if flags.reset_values:
        return ValueMode.RESET
    if flags.reuse_values:
        return ValueMode.REUSE
    if flags.reset_then_reuse_values:
        return ValueMode.RESET_THEN_REUSE
    return ValueMode.GIVEN if given else ValueMode.NONE_GIVEN


def apply_mode(
    mode: ValueMode, chart: Chart, given: Table, current: CurrentRecord | None, coalescing: Coalescing
) -> Table:
    """The values to use and to store; changes ``chart.values`` under reuse, and maybe ``current.config``."""
    if current is None or mode in (ValueMode.INSTALL, ValueMode.RESET, ValueMode.GIVEN):
        return given
    if mode is ValueMode.NONE_GIVEN:
        return current.config if current.config else given
    if mode is ValueMode.REUSE:
        old = coalescing.values(current.chart, current.config)
        given = coalescing.tables(given, current.config)
        chart.values = old
        return given
    return coalescing.tables(given, current.config)
