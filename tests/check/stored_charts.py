"""Trees with charts for the tests, and what is in a chart that was had."""

from __future__ import annotations

from collections.abc import Mapping

from memory_tree import MemoryTree

from helmguard.check.chart_store import FoundChart
from helmguard.gitops.documents import Documents
from helmguard.helm.chart import load_chart
from helmguard.model.declared_release import ChartNeed
from helmguard.model.helm_version import HelmVersion

WEB = "https://charts.example.com"
LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345\n"


def documents(*files: Mapping[str, str | bytes]) -> Documents:
    """A tree with these files."""
    merged: dict[str, str | bytes] = {}
    for some in files:
        merged.update(some)
    return Documents(MemoryTree(merged))


def in_folder(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    return {f"{folder}/{name}": text for name, text in files.items()}


def path_of(folder: str) -> ChartNeed:
    return ChartNeed("path", path=folder)


def content(found: FoundChart) -> dict[str, str]:
    """Names and versions of the chart and of those in it."""
    chart = load_chart(found.path, HelmVersion(4, 3, 1))
    return {one.metadata.name: one.metadata.version for one in (chart, *chart.dependencies)}
