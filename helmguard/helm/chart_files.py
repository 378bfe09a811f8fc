"""A chart out of the files of its folder or archive (helm/helm@v3.22.0 pkg/chart/loader/load.go)."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.errors import ChartError
from helmguard.helm.chart_archive import read_archive
from helmguard.helm.chart_metadata import API_VERSION_1, DecodeError, decode_metadata, validate_metadata
from helmguard.manifest import yaml
from helmguard.model.value_change import ProvenanceKind
from helmguard.values.chart import Chart, ChartFile, ChartMetadata
from helmguard.values.differences import HelmDialect
from helmguard.values.table import Table
from helmguard.values.values_text import ValuesTextError, read_values_text


def chart_from_files(files: Sequence[ChartFile], dialect: HelmDialect, parent_path: str = "") -> Chart:
    """Build a chart and, from ``charts/``, its sub-charts; ``parent_path`` is the path of the outer chart.

    Raises:
        ChartError: with Helm's text.
    """
    metadata = _read_metadata(files)
    chart = Chart(metadata=metadata if metadata is not None else ChartMetadata())
    has_metadata = metadata is not None
    templates, others = [], []
    nested: dict[str, list[ChartFile]] = {}
    for file in files:
        name = file.name
        if name == "Chart.yaml":
            continue
        if name == "Chart.lock":
            chart.lock = _read_lock(file)
        elif name == "values.yaml":
            chart.values_text = file.data
            chart.values = _read_values(file.data, chart.name, dialect, parent_path)
        elif name == "values.schema.json":
            chart.schema = file.data
        elif name == "requirements.yaml":
            _decode(file, chart.metadata)
            has_metadata = True
        elif name == "requirements.lock":
            chart.lock = _read_lock(file)
            has_metadata = True
        elif name.startswith("templates/"):
            templates.append(file)
        elif name.startswith("charts/") and not name.endswith(".prov"):
            inner = name.removeprefix("charts/")
            nested.setdefault(inner.split("/", 1)[0], []).append(ChartFile(inner, file.data))
            continue
        else:
            others.append(file)
        if name.startswith("requirements.") and chart.metadata.api_version == API_VERSION_1:
            others.append(file)
    if not has_metadata:
        raise ChartError("Chart.yaml file is missing", remedy="Name a folder or archive that holds a chart")
    validate_metadata(chart.metadata)
    chart.templates, chart.files = tuple(templates), tuple(others)
    path = f"{parent_path}/charts/{chart.name}" if parent_path else chart.name
    chart.set_dependencies(_nested_charts(nested, chart.name, path, dialect))
    return chart


def refuse_unknown_api(files: Sequence[ChartFile], path: str) -> None:
    """Helm 4 reads Chart.yaml's apiVersion before all else (helm/helm@v4.3.1 pkg/chart/loader/load.go).

    Raises:
        ChartError: no Chart.yaml, or an apiVersion that is not v1 or v2.
    """
    file = next((file for file in files if file.name == "Chart.yaml"), None)
    if file is None:
        raise ChartError(
            f"unable to detect chart at {path}/Chart.yaml: open {path}/Chart.yaml: no such file or directory",
            remedy="Name a folder or archive that holds a chart",
        )
    metadata = ChartMetadata()
    _decode(file, metadata)
    if metadata.api_version not in ("", API_VERSION_1, "v2"):
        raise ChartError("unsupported chart version", remedy="use a chart with apiVersion v1 or v2")


def _read_metadata(files: Sequence[ChartFile]) -> ChartMetadata | None:
    metadata = None
    for file in files:
        if file.name == "Chart.yaml":
            metadata = metadata or ChartMetadata()
            _decode(file, metadata)
            metadata.api_version = metadata.api_version or API_VERSION_1
    return metadata


def _decode(file: ChartFile, metadata: ChartMetadata) -> None:
    try:
        decode_metadata(yaml.load(file.data), metadata)
    except yaml.YAMLError as error:
        raise _unreadable(file.name, f"error converting YAML to JSON: {error.message}") from None
    except DecodeError as error:
        raise _unreadable(file.name, f"error unmarshaling JSON: while decoding JSON: {error}") from None


def _read_lock(file: ChartFile) -> tuple[tuple[str, str], ...] | None:
    try:
        lock = yaml.load(file.data)
    except yaml.YAMLError as error:
        raise _unreadable(file.name, f"error converting YAML to JSON: {error.message}") from None
    if lock is None:
        return None
    listed = lock.get("dependencies") if isinstance(lock, dict) else None
    if not isinstance(lock, dict) or not isinstance(listed or [], list):
        raise _unreadable(file.name, "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal")
    entries = [entry for entry in listed or [] if isinstance(entry, dict)]
    return tuple((str(entry.get("name") or ""), str(entry.get("version") or "")) for entry in entries)


def _read_values(data: bytes, chart_name: str, dialect: HelmDialect, parent_path: str) -> Table:
    path = f"{parent_path}/charts/{chart_name}" if parent_path else chart_name
    kind: ProvenanceKind = "subchart default" if parent_path else "chart default"

    try:
        return read_values_text(data, dialect, kind, path)
    except ValuesTextError as error:
        raise _unreadable("values.yaml", error.message) from None


def _unreadable(name: str, reason: str) -> ChartError:
    return ChartError(f"cannot load {name}: {reason}", remedy=f"correct the chart's {name}")


def _nested_charts(
    nested: dict[str, list[ChartFile]], parent_name: str, parent_path: str, dialect: HelmDialect
) -> list[Chart]:
    """The charts under ``charts/``; Helm's order is random, which counts only for charts of the same name."""
    charts = []
    for name, files in sorted(nested.items()):
        if name.startswith(("_", ".")):
            continue
        try:
            charts.append(_nested_chart(name, files, parent_name, parent_path, dialect))
        except ChartError as error:
            if error.message.startswith("error unpacking subchart tar"):
                raise
            raise ChartError(
                f"error unpacking subchart {name} in {parent_name}: {error.message}", remedy=error.remedy
            ) from None
    return charts


def _nested_chart(
    name: str, files: list[ChartFile], parent_name: str, parent_path: str, dialect: HelmDialect
) -> Chart:
    if name.endswith(".tgz"):
        if files[0].name != name:
            raise ChartError(
                f"error unpacking subchart tar in {parent_name}: expected {name}, got {files[0].name}",
                remedy="only archives may end in .tgz under charts/",
            )
        return chart_from_files(read_archive(files[0].data, dialect), dialect, parent_path)
    inside = [ChartFile(file.name.split("/", 1)[1], file.data) for file in files if "/" in file.name]
    return chart_from_files(inside, dialect, parent_path)
