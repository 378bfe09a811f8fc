"""What rules want to know about values beside their changes; gathered while the chart is at hand."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import ValuesReport
from helmguard.model.value_facts import FailingValue, GivenValue, RemovedDefault, TemplateUse, ValueFacts
from helmguard.values.chart import Chart
from helmguard.values.chart_defaults import chart_defaults
from helmguard.values.compute import ValuesResult
from helmguard.values.failing_values import failing_values
from helmguard.values.flag_words import ValueFlags
from helmguard.values.index_gaps import index_gaps
from helmguard.values.provenance import leaf_provenance
from helmguard.values.scalar_dialects import ambiguous_scalars
from helmguard.values.subcharts import subcharts
from helmguard.values.table import Table, to_json
from helmguard.values.template_use import TemplateUses
from helmguard.values.value_tree import find, is_set

_LOOKED_UP = ("new default ignored", "stale default", "type changed")
"""Warnings for which it matters what the templates do with the value."""


def value_facts(
    chart: Chart,
    result: ValuesResult,
    given: Table,
    report: ValuesReport,
    record: JSONObject | None,
    flags: ValueFlags,
) -> ValueFacts:
    """``record`` is the current revision's as helmguard reads it, None for an install."""
    stored = (record or {}).get("chart") or {}
    defaults = chart_defaults(chart)
    origins = leaf_provenance(given)
    return ValueFacts(
        known=True,
        given=given_values(given),
        defaults=defaults,
        previous_defaults=to_json(stored.get("values") or {}) if record is not None else None,
        effective=to_json(result.values),
        removed=tuple(_removed(result, defaults, (record or {}).get("config") or {})),
        uses=_uses(chart, result, report),
        subcharts=tuple(subcharts(stored if record is not None else None, chart, result.enabled_charts)),
        scalars=tuple(ambiguous_scalars(given)),
        gaps=tuple(index_gaps(to_json(given), origins)),
        schema_skipped=flags.skip_schema_validation and _has_schema(chart),
    )


def given_values(given: Table) -> tuple[GivenValue, ...]:
    """The leaves of what this command gives."""
    plain = to_json(given)
    return tuple(
        GivenValue(path, find(plain, path), provenance) for path, provenance in leaf_provenance(given).items()
    )


def with_failing_values(report: ValuesReport, chart: Chart | None, error: str) -> ValuesReport:
    """The report with the values that a failing template depends on; ``error`` is Helm's, empty for none."""
    if not error or chart is None:
        return report
    effective = report.facts.effective
    failing = tuple(
        FailingValue(
            path, None if (value := find(effective, path)) is MISSING else value, _has(effective, path)
        )
        for path in failing_values(chart, error)
    )
    return replace(report, facts=replace(report.facts, failing=failing)) if failing else report


def _has(values: JSONObject, path: tuple[str, ...]) -> bool:
    """Whether there is a value that a template takes for one."""
    return find(values, path) not in (MISSING, None, "", [], {})


def _removed(result: ValuesResult, defaults: JSONObject, previous: JSONObject) -> Iterator[RemovedDefault]:
    for path, provenance in result.removed.items():
        default = find(defaults, path)
        if default is MISSING or default is None:
            continue
        again = is_set(previous, path) and find(previous, path) is None
        yield RemovedDefault(path, default, provenance, again)


def _uses(chart: Chart, result: ValuesResult, report: ValuesReport) -> dict[FieldPath, TemplateUse]:
    """Of what changes without being asked for, and of what warnings name."""
    uses = TemplateUses(chart, result.enabled_charts)
    paths = [change.path for change in report.changes]
    paths += [warning.path for warning in report.warnings if warning.kind in _LOOKED_UP]
    return {path: uses.of(path) for path in dict.fromkeys(paths)}  # type: ignore[arg-type]


def _has_schema(chart: Chart) -> bool:
    return chart.schema is not None or any(map(_has_schema, chart.dependencies))
