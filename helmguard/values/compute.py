"""The values a Helm command uses and stores, from chart, flags and the deployed record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from helmguard.errors import ChartError, ValuesError
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.value_change import Provenance, ValueWarning
from helmguard.values.chart import Chart, copy_chart
from helmguard.values.coalesce import Coalescing, MergeWarning
from helmguard.values.dependencies import check_dependencies, process_dependencies, table_at
from helmguard.values.differences import dialect_of
from helmguard.values.flag_words import ValueFlags, ValueMode
from helmguard.values.provenance import leaf_provenance, removed_by_null
from helmguard.values.reuse import ConfigHistory, CurrentRecord, apply_mode, choose_mode, read_current
from helmguard.values.reused_defaults import reused_default_warnings
from helmguard.values.schema import FetchSchema, check_schemas
from helmguard.values.table import Table, ValuePath, copy_tree, to_json, to_plain


class ValuesResult(msgspec.Struct, frozen=True):
    """What one command makes of the values; plain data, a Python int is Go's int64, a float its float64.

    ``effective``: for each chart whose templates are rendered, by Helm's own path (``parent/charts/sub``),
    the values they see. Charts whose paths collide (see `Chart.full_path`) leave one entry, as in Helm.
    ``config``, ``chart_values``: what the new record stores; ``chart_values`` is None for a chart without
    values.
    ``rewritten_previous_config``: the config that Helm writes back into the previous record, None if
    unchanged.
    ``given``: what the user gave with this command alone, as merged by `merge_user_values`.
    ``provenance``: for each leaf of the parent's effective values, where it comes from. A leaf is a scalar,
    a null, an empty table, or a list; the leaves inside lists have entries of their own.
    ``removed``: for each key that a null took away, where the null stood.
    ``enabled_charts``: the paths of all charts that take part, library charts too; ``scopes``: where their
    values stand in the parent's, ``()`` for the parent itself.
    """

    effective: dict[str, JSONObject]
    config: JSONObject
    chart_values: JSONObject | None
    mode: ValueMode
    provenance: Mapping[ValuePath, Provenance]
    removed: Mapping[ValuePath, Provenance] = {}
    warnings: tuple[ValueWarning, ...] = ()
    rewritten_previous_config: JSONObject | None = None
    enabled_charts: tuple[str, ...] = ()
    scopes: tuple[tuple[str, ...], ...] = ((),)
    chart_name: str = ""
    given: JSONObject = {}

    @property
    def values(self) -> JSONObject:
        """The parent chart's effective values."""
        return self.effective.get(self.chart_name, {})


def compute(
    chart: Chart,
    given: Table,
    flags: ValueFlags,
    *,
    current: JSONObject | None = None,
    helm: HelmVersion,
    history: ConfigHistory = (),
    fetch_schema: FetchSchema | None = None,
) -> ValuesResult:
    """Compute the values of an install (``current`` None) or of an upgrade from the record ``current``.

    ``chart`` and ``given`` (the user's values of this command, see `merge_user_values`) stay as they are.
    ``current`` is ``{"config", "chart": {"metadata", "values"}, "version"}``; ``history`` the configs of
    the revisions up to it, to name the revision that first set a value. ``fetch_schema`` reads a schema
    that another refers to by URL. Under ``--reuse-values`` the warnings also name the new chart's defaults
    that do not arrive.

    Raises:
        ValuesError, ChartError: where Helm stops, with its text (without ``Error: INSTALLATION FAILED: ``).
    """
    result = _compute(chart, given, flags, current, helm, history, fetch_schema)
    if result.mode is not ValueMode.REUSE:
        return result
    fresh_flags = replace(
        flags, reuse_values=False, reset_then_reuse_values=True, skip_schema_validation=True
    )
    try:
        fresh = _compute(chart, given, fresh_flags, current, helm, history, None)
    except (ValuesError, ChartError):
        return result
    hidden = reused_default_warnings(result.values, fresh.values, fresh.provenance)
    return replace(result, warnings=(*result.warnings, *hidden))


def _compute(
    chart: Chart,
    given: Table,
    flags: ValueFlags,
    current: JSONObject | None,
    helm: HelmVersion,
    history: ConfigHistory,
    fetch_schema: FetchSchema | None,
) -> ValuesResult:
    dialect = dialect_of(helm)
    asked: JSONObject = to_plain(given)
    chart, given = copy_chart(chart), copy_tree(given)
    record = None if current is None else read_current(current, history)
    if record is None and chart.metadata.type not in ("", "application"):
        raise ChartError(
            f"{chart.metadata.type} charts are not installable", remedy="name an application chart"
        )
    check_dependencies(chart, dialect)
    mode = choose_mode(flags, given, record)
    merging = Coalescing(dialect)
    config = apply_mode(mode, chart, given, record, merging)
    dependencies = Coalescing(dialect)
    try:
        process_dependencies(chart, config, dependencies)
    except ValuesError as error:
        prefix = dialect.dependency_error_prefix if record is None else ""
        raise ValuesError(prefix + error.message, remedy=error.remedy) from None
    except RecursionError:
        raise ChartError(
            "Helm crashes on this chart (stack overflow): import-values put a table into itself",
            remedy="import into a parent path that does not lie in the imported table",
        ) from None
    rendering = Coalescing(dialect)
    values = rendering.values(chart, config)
    unchecked: list[str] = []
    if not flags.skip_schema_validation:
        unchecked = check_schemas(chart, values, fetch_schema)
    return ValuesResult(
        effective=_scopes(chart, values),
        config=to_plain(config),
        chart_values=None if chart.values is None else to_plain(chart.values),
        mode=mode,
        provenance=leaf_provenance(values),
        removed=removed_by_null(values),
        warnings=_warnings(merging, dependencies, rendering, unchecked),
        rewritten_previous_config=_rewritten(current, record),
        enabled_charts=tuple(_paths(chart)),
        scopes=tuple(_value_paths(chart, ())),
        chart_name=chart.name,
        given=asked,
    )


def _rewritten(current: JSONObject | None, record: CurrentRecord | None) -> JSONObject | None:
    if current is None or record is None or record.config is None:
        return None
    config: JSONObject = to_plain(record.config)
    return None if to_json(config) == current.get("config") else config


def _scopes(chart: Chart, values: Table) -> dict[str, JSONObject]:
    """The values each chart's templates see, children first (helm@v3.22.0 pkg/engine/engine.go)."""
    scopes: dict[str, JSONObject] = {}
    _add_scopes(chart, values, scopes)
    return scopes


def _add_scopes(chart: Chart, values: Table, scopes: dict[str, JSONObject]) -> None:
    for child in chart.dependencies:
        # Helm looks the name up as a dotted path, so a chart with a dot in its name sees no values.
        _add_scopes(child, table_at(values, child.name.split(".")) or Table(), scopes)
    if not chart.is_library:
        scopes[chart.full_path] = to_plain(values)


def _paths(chart: Chart) -> list[str]:
    return [chart.full_path, *(path for child in chart.dependencies for path in _paths(child))]


def _value_paths(chart: Chart, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield path
    for child in chart.dependencies:
        yield from _value_paths(child, (*path, child.name))


def _warnings(
    merging: Coalescing, dependencies: Coalescing, rendering: Coalescing, unchecked: list[str]
) -> tuple[ValueWarning, ...]:
    logged: list[MergeWarning] = [
        *merging.warnings,
        *(warning for warning in dependencies.warnings if warning.kind == "dependency"),
        *rendering.warnings,
    ]
    warnings = [
        ValueWarning(
            "table conflict" if one.kind == "table" else "helm", tuple(one.path.split(".")), one.message
        )
        for one in logged
    ]
    warnings.extend(ValueWarning("helm", (), message) for message in unchecked)
    return tuple(dict.fromkeys(warnings))
