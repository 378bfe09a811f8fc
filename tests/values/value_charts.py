"""Small charts in memory, and their values computed without a file system."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from helmguard.helm.chart_files import chart_from_files
from helmguard.model.helm_version import HelmVersion
from helmguard.values.chart import Chart, ChartFile
from helmguard.values.compute import ValuesResult, compute
from helmguard.values.differences import dialect_of
from helmguard.values.flag_words import parse_value_flags
from helmguard.values.table import Table, to_json
from helmguard.values.user_values import merge_user_values

HELM3 = HelmVersion(3, 22, 0)
HELM4 = HelmVersion(4, 3, 1)
BOTH = (HELM3, HELM4)


def chart_files(values: Any = None, *, name: str = "parent", **more: Any) -> dict[str, str]:
    """A chart's files. ``more``: ``dependencies`` for Chart.yaml, ``files`` by path, sub-charts by name."""
    metadata: dict[str, Any] = {"apiVersion": "v2", "name": name, "version": more.pop("version", "1.0.0")}
    if "dependencies" in more:
        metadata["dependencies"] = more.pop("dependencies")
    files = {"Chart.yaml": json.dumps(metadata)}
    if values is not None:
        files["values.yaml"] = values if isinstance(values, str) else json.dumps(values)
    files.update(more.pop("files", {}))
    for child, child_files in more.items():
        files.update({f"charts/{child}/{path}": text for path, text in child_files.items()})
    return files


def dependency(name: str, **more: Any) -> dict[str, Any]:
    """An entry of Chart.yaml's dependencies; underscores in keys stand for hyphens."""
    entry = {"name": name, "version": "*", "repository": ""}
    return {**entry, **{key.replace("_", "-"): value for key, value in more.items()}}


def chart_of(files: Mapping[str, str], helm: HelmVersion = HELM3) -> Chart:
    """The chart that these files make."""
    return chart_from_files(
        [ChartFile(path, text.encode()) for path, text in files.items()], dialect_of(helm)
    )


def given_values(
    words: Sequence[str], helm: HelmVersion = HELM3, files: Mapping[str, str] | None = None
) -> Table:
    """What the flags set."""

    def read(name: str) -> bytes:
        if name not in (files or {}):
            raise FileNotFoundError(2, "No such file or directory", name)
        return (files or {})[name].encode()

    return merge_user_values(parse_value_flags(words), dialect_of(helm), read)


def computed(
    files: Mapping[str, str],
    words: Sequence[str] = (),
    *,
    helm: HelmVersion = HELM3,
    current: Mapping[str, Any] | None = None,
    value_files: Mapping[str, str] | None = None,
    history: Sequence[tuple[int, Any]] = (),
) -> ValuesResult:
    """The values that a command makes of a chart."""
    return compute(
        chart_of(files, helm),
        given_values(words, helm, value_files),
        parse_value_flags(words),
        current=None if current is None else dict(current),
        helm=helm,
        history=history,
    )


def record_of(result: ValuesResult, version: int = 1) -> dict[str, Any]:
    """The record that Helm would store, as read back from its JSON."""
    return {
        "version": version,
        "config": to_json(result.config),
        "chart": {
            "metadata": {"name": result.chart_name, "version": "1.0.0"},
            "values": to_json(result.chart_values),
        },
    }
