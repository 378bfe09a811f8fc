"""Which sub-charts take part, under which name, and what they hand up to their parent.

helm/helm@v3.22.0 pkg/chartutil/dependencies.go, helm/helm@v4.3.1 pkg/chart/v2/util/dependencies.go. The
chart is changed in place: sub-charts are dropped, renamed to their aliases, and default values are
imported.
"""

from __future__ import annotations

import copy
from typing import Any

from msgspec.structs import replace

from helmguard.errors import ChartError
from helmguard.values.chart import Chart, Dependency, copy_dependencies
from helmguard.values.coalesce import Coalescing, MergeWarning
from helmguard.values.differences import HelmDialect
from helmguard.values.go_format import go_text, quote
from helmguard.values.semver import satisfies
from helmguard.values.table import Table, copy_tree, is_table

_NOT_THERE = object()


def check_dependencies(chart: Chart, dialect: HelmDialect) -> None:
    """Refuse a chart that lists a dependency it does not hold, as Helm does before anything else.

    Raises:
        ChartError: with Helm's text.
    """
    held = {child.name for child in chart.dependencies}
    missing = [entry.name for entry in chart.metadata.dependencies or () if entry.name not in held]
    if missing:
        names = ", ".join(missing)
        raise ChartError(
            f"{dialect.missing_dependencies}found in Chart.yaml, but missing in charts/ directory: {names}",
            remedy="helm dependency build",
        )


def process_dependencies(chart: Chart, values: Table, coalescing: Coalescing) -> None:
    """Drop disabled sub-charts and import values, for the chart and all below it.

    Raises:
        ValuesError: a sub-chart's key holds no table.
    """
    _process_enabled(chart, values, "", coalescing)
    _import_values(chart, coalescing)


def _process_enabled(chart: Chart, values: Table, path: str, coalescing: Coalescing) -> None:
    entries = chart.metadata.dependencies
    if entries is None:
        return
    _attach_listed(chart, entries, coalescing.dialect)
    for entry in entries:
        entry.enabled = True
    coalesced = coalescing.values(chart, values)
    _apply_tags(entries, coalesced, coalescing)
    _apply_conditions(entries, coalesced, path, coalescing)
    disabled = {entry.name for entry in entries if not entry.enabled}
    remaining = [child for child in chart.dependencies if child.name not in disabled]
    for child in remaining:
        _process_enabled(child, coalesced, f"{path}{child.name}.", coalescing)
    kept = [entry for entry in entries if entry.name not in disabled]
    chart.metadata.dependencies = kept or None
    chart.set_dependencies(remaining)


def _attach_listed(chart: Chart, entries: list[Dependency], dialect: HelmDialect) -> None:
    """Sub-charts that are not listed stay as they are; each listed one becomes a copy under its alias."""
    attached = [
        child
        for child in chart.dependencies
        if not any(child.name == entry.name and _in_range(child, entry) for entry in entries)
    ]
    for entry in entries:
        found = next(
            (child for child in chart.dependencies if child.name == entry.name and _in_range(child, entry)),
            None,
        )
        if found is not None:
            attached.append(_copy_for(found, entry, dialect))
        if entry.alias:
            entry.name = entry.alias
    chart.set_dependencies(attached)


def _in_range(chart: Chart, entry: Dependency) -> bool:
    return satisfies(chart.metadata.version, entry.version)


def _copy_for(chart: Chart, entry: Dependency, dialect: HelmDialect) -> Chart:
    """Helm 3 copies the chart's record only: its children and its list of dependencies stay shared."""
    copied = copy.copy(chart)
    copied.metadata = copy.copy(chart.metadata)
    if dialect.copies_alias_children:
        copied.metadata.dependencies = copy_dependencies(chart.metadata.dependencies)
        copied.set_dependencies([copy.copy(child) for child in chart.dependencies])
    if entry.alias:
        copied.metadata.name = entry.alias
    return copied


def _apply_tags(entries: list[Dependency], values: Table, coalescing: Coalescing) -> None:
    tags = values.get("tags")
    if not is_table(tags):
        return
    assert isinstance(tags, Table)
    for entry in entries:
        said: list[bool] = []
        for tag in entry.tags:
            if tag not in tags:
                continue
            if isinstance(tags[tag], bool):
                said.append(tags[tag])
            else:
                _warn(
                    coalescing, f"tags.{tag}", f"Tag '{tag}' for chart {entry.name} returned non-bool value"
                )
        entry.enabled = not said or any(said)


def _apply_conditions(entries: list[Dependency], values: Table, path: str, coalescing: Coalescing) -> None:
    """The first path of a condition that exists and is a bool decides; it overrides the tags."""
    for entry in entries:
        for condition in entry.condition.strip().split(","):
            value = _path_value(values, path + condition) if condition else _NOT_THERE
            if value is _NOT_THERE:
                continue
            if isinstance(value, bool):
                entry.enabled = value
                break
            _warn(
                coalescing,
                path + condition,
                f"Condition path '{condition}' for chart {entry.name} returned non-bool value",
            )


def _path_value(values: Table, dotted: str) -> Any:
    """What Helm's PathValue finds under a dotted path; a table or nothing gives a marker that is no value."""
    *tables, key = dotted.split(".")
    table = table_at(values, tables)
    if table is None or key not in table or is_table(table[key]):
        return _NOT_THERE
    return table[key]


def table_at(values: Table, keys: list[str]) -> Table | None:
    """The table under a path of keys, None where there is none."""
    table: Any = values
    for key in keys:
        table = table.get(key)
        if not is_table(table):
            return None
    assert isinstance(table, Table)
    return table


def _import_values(chart: Chart, coalescing: Coalescing) -> None:
    for child in chart.dependencies:
        _import_values(child, coalescing)
    entries = chart.metadata.dependencies
    if entries is None:
        return
    defaults = coalescing.merge_values(chart)
    imported = Table()
    for entry in entries:
        for wanted in entry.import_values:
            taken = _wanted_table(entry, wanted, defaults, coalescing)
            if taken is not None:
                imported = coalescing.tables(imported, taken, merge=True)
        # Helm puts another type into the processed entry, which its own second look at a shared entry
        # (Helm 3, two aliases of one chart) then passes over.
        entry.import_values = []
    chart.values = coalescing.tables(copy_tree(defaults), _as_imported(imported), merge=True)


def _as_imported(table: Table) -> Table:
    """The same values, said to come from import-values."""
    marked: Table = copy_tree(table)
    _mark_imported(marked)
    return marked


def _mark_imported(value: Any) -> None:
    if isinstance(value, list):
        for item in value:
            _mark_imported(item)
    if isinstance(value, Table):
        for key, origin in value.origins.items():
            value.origins[key] = replace(origin, kind="import-values")
        for item in value.values():
            _mark_imported(item)


def _wanted_table(entry: Dependency, wanted: Any, defaults: Table, coalescing: Coalescing) -> Table | None:
    """What one entry of ``import-values`` brings, placed where the parent wants it."""
    if isinstance(wanted, dict):
        child, parent = (go_text(wanted.get(side)) for side in ("child", "parent"))
    elif isinstance(wanted, str):
        child, parent = f"exports.{wanted}", "."
    else:
        return None
    table = table_at(defaults, f"{entry.name}.{child}".split("."))
    if table is None:
        missing = _first_missing(defaults, f"{entry.name}.{child}".split("."))
        _warn(
            coalescing,
            f"{entry.name}.{child}",
            f"ImportValues missing table from chart {entry.name}: {quote(missing)} is not a table",
        )
        return None
    placed = table if table else Table()
    if parent == ".":
        return placed
    for key in reversed(parent.split(".")):
        outer = Table()
        outer.put(key, placed, None)
        placed = outer
    return placed


def _first_missing(values: Table, keys: list[str]) -> str:
    for index in range(len(keys)):
        if table_at(values, keys[: index + 1]) is None:
            return keys[index]
    return keys[-1]


def _warn(coalescing: Coalescing, path: str, message: str) -> None:
    warning = MergeWarning("dependency", path, f"Warning: {message}")
    if warning not in coalescing.warnings:
        coalescing.warnings.append(warning)
