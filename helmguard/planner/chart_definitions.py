"""The custom resource definitions in the ``crds/`` folders of a chart and its sub-charts."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from helmguard.errors import ManifestError
from helmguard.manifest import yaml
from helmguard.manifest.documents import split_kubectl
from helmguard.model.json_value import JSONObject
from helmguard.values.chart import Chart


class ChartDefinition(msgspec.Struct, frozen=True):
    """One definition; ``source`` is its file as Helm names it (``parent/charts/sub/crds/x.yaml``), ``file``
    the same inside its own chart (``crds/x.yaml``)."""

    name: str
    source: str
    body: JSONObject
    file: str = ""


def chart_definitions(chart: Chart, enabled: Collection[str] = ()) -> tuple[ChartDefinition, ...]:
    """The definitions in Helm's order: the chart's own files, then its sub-charts'.

    ``enabled`` are the paths of the charts that take part, sub-charts by their aliases; without any, all do.
    A file that cannot be read holds none. Source: helm/helm@v3.22.0 pkg/chart/chart.go, CRDObjects.
    """
    return tuple(_definitions(chart, (chart.name,), enabled))


def chart_crds(chart: Chart, enabled: Collection[str] = ()) -> tuple[JSONObject, ...]:
    """The same as bare documents."""
    return tuple(definition.body for definition in chart_definitions(chart, enabled))


def _definitions(chart: Chart, paths: tuple[str, ...], enabled: Collection[str]) -> Iterator[ChartDefinition]:
    """``paths``: a chart that is used under several aliases takes part more than once, its files do not."""
    for file in chart.crds:
        for text in split_kubectl(file.data.decode("utf-8", errors="replace")):
            try:
                document = yaml.load(text)
            except ManifestError:
                # Helm reads crds/ on install only and fails there; an upgrade never looks at it.
                continue
            if isinstance(document, dict) and document.get("kind") == "CustomResourceDefinition":
                name = str((document.get("metadata") or {}).get("name") or "")
                yield ChartDefinition(name, f"{paths[0]}/{file.name}", document, file.name)
    for child in chart.dependencies:
        below = _paths_of(child, chart, paths)
        taking_part = tuple(path for path in below if not enabled or path in enabled)
        if taking_part:
            yield from _definitions(child, taking_part, enabled)


def _paths_of(child: Chart, parent: Chart, paths: tuple[str, ...]) -> list[str]:
    entries = [entry for entry in parent.metadata.dependencies or () if entry.name == child.name]
    names = [entry.alias or entry.name for entry in entries] or [child.name]
    return [f"{path}/charts/{name}" for path in paths for name in dict.fromkeys(names)]
