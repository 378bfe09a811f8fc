"""The defaults that a chart brings, its sub-charts' below their keys."""

from __future__ import annotations

from helmguard.model.json_value import JSONObject
from helmguard.values.chart import Chart
from helmguard.values.table import to_json


def chart_defaults(chart: Chart) -> JSONObject:
    """What the chart and its sub-charts, enabled or not, have in their values.yaml; the outer one wins.

    ``chart`` is the chart as loaded. Values that charts import from each other are left out.
    """
    below: JSONObject = {}
    by_name = {child.name: child for child in chart.dependencies}
    listed = [entry for entry in chart.metadata.dependencies or () if entry.name in by_name]
    keys = {entry.alias or entry.name: entry.name for entry in listed}
    keys |= {name: name for name in by_name if name not in keys.values()}
    for key, name in keys.items():
        below[key] = chart_defaults(by_name[name])
    own: JSONObject = to_json(chart.values or {})
    return _over(own, below)


def _over(high: JSONObject, low: JSONObject) -> JSONObject:
    merged = dict(low)
    for key, value in high.items():
        other = merged.get(key)
        merged[key] = _over(value, other) if isinstance(value, dict) and isinstance(other, dict) else value
    return merged
