"""Whether the chart on disk is the one the release was made from."""

from __future__ import annotations

import base64
import binascii

from helmguard.model.json_value import JSONObject
from helmguard.values.chart import Chart


def is_same_chart(chart: Chart, stored: JSONObject) -> bool:
    """Same name, version and, where the record holds them, the same templates of the parent chart."""
    metadata = stored.get("metadata") or {}
    if (chart.metadata.name, chart.metadata.version) != (metadata.get("name"), metadata.get("version")):
        return False
    templates = stored.get("templates")
    if not isinstance(templates, list):
        return True
    return {file.name: file.data for file in chart.templates} == {
        str(entry.get("name")): _content(entry) for entry in templates if isinstance(entry, dict)
    }


def _content(entry: JSONObject) -> bytes:
    try:
        return base64.b64decode(str(entry.get("data") or ""), validate=True)
    except binascii.Error:
        return b""
