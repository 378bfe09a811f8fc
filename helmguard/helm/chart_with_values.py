"""A copy of a chart with other default values, as ``--reuse-values`` makes Helm see it."""

from __future__ import annotations

from pathlib import Path

from helmguard.helm.chart import chart_files
from helmguard.helm.chart_archive import write_archive
from helmguard.helm.values_transport import values_document
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.values.chart import ChartFile
from helmguard.values.differences import dialect_of

_VALUES = "values.yaml"


def write_chart_with_values(chart: Path, values: JSONObject, folder: Path, helm: HelmVersion) -> Path:
    """Write the chart, with ``values`` as its values.yaml, as an archive into ``folder`` and return its path.

    Raises:
        ChartError: the chart cannot be read.
        NotTransportableError: the values cannot be written exactly.
    """
    files = [file for file in chart_files(chart, dialect_of(helm)) if file.name != _VALUES]
    files.append(ChartFile(_VALUES, values_document(values)))
    return write_archive(files, folder / "chart.tgz")
