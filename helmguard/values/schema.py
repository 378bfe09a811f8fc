"""The check of values against ``values.schema.json`` of a chart and its sub-charts.

helm/helm@v3.22.0 pkg/chartutil/jsonschema.go.
Whether values are valid is jsonschema's answer; `schema_failures` says why in the words of the library that
Helm uses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from helmguard.errors import ValuesError
from helmguard.values.chart import Chart
from helmguard.values.go_format import go_type, quote
from helmguard.values.go_json import GoJSONError, decode_exact
from helmguard.values.table import Table, to_json

FetchSchema: TypeAlias = Callable[[str], bytes | None]
"""Reads a schema by its absolute URL; None where that is not done."""

_HEAD = "values don't meet the specifications of the schema(s) in the following chart(s):\n"


def check_schemas(chart: Chart, values: Table, fetch: FetchSchema | None = None) -> list[str]:
    """Check the effective values of a chart and its enabled sub-charts.

    Returns what could not be checked, in words (a schema in the network, a pattern Python cannot say).

    Raises:
        ValuesError: the values are not valid; Helm's text, without its last line break.
    """
    unchecked: list[str] = []
    text = _chart_text(chart, values, fetch, unchecked)
    if text:
        raise ValuesError(
            (_HEAD + text).rstrip("\n"),
            remedy="give values that the chart's values.schema.json allows, or --skip-schema-validation",
        )
    return unchecked


def _chart_text(chart: Chart, values: Any, fetch: FetchSchema | None, unchecked: list[str]) -> str:
    text = ""
    if chart.schema is not None:
        problem = _schema_text(chart, values, fetch, unchecked)
        if problem:
            text = f"{chart.name}:\n{problem}"
    for child in chart.dependencies:
        below = values.get(child.name)
        if below is None:
            continue
        if isinstance(below, Table):
            text += _chart_text(child, below, fetch, unchecked)
        else:
            text += f"{child.name}:\ninvalid type for values: expected object (map), got {go_type(below)}\n"
    return text


def _schema_text(chart: Chart, values: Table, fetch: FetchSchema | None, unchecked: list[str]) -> str:
    from helmguard.values.schema_validator import SchemaError, UncheckedError, failures

    assert chart.schema is not None
    try:
        schema = decode_exact(chart.schema.decode("utf-8", "replace"))
        return failures(schema, to_json(values), fetch)
    except (GoJSONError, SchemaError) as error:
        return str(error)
    except UncheckedError as error:
        unchecked.append(f"values.schema.json of chart {quote(chart.name)} was not checked: {error}")
        return ""
