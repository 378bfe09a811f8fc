"""The custom resource definitions in a chart's ``crds/`` folders."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.errors import ManifestError
from helmguard.manifest import yaml
from helmguard.manifest.documents import split_kubectl
from helmguard.model.json_value import JSONObject
from helmguard.values.chart import Chart


def chart_crds(chart: Chart) -> tuple[JSONObject, ...]:
    """The definitions of the chart and its sub-charts; a file that cannot be read holds none."""
    return tuple(_definitions(chart))


def _definitions(chart: Chart) -> Iterator[JSONObject]:
    for file in chart.crds:
        for text in split_kubectl(file.data.decode("utf-8", errors="replace")):
            try:
                document = yaml.load(text)
            except ManifestError:
                # Helm reads crds/ on install only and fails there; an upgrade never looks at it.
                continue
            if isinstance(document, dict) and document.get("kind") == "CustomResourceDefinition":
                yield document
    for child in chart.dependencies:
        yield from _definitions(child)
