"""Charts of the tree that nothing in the tree installs, as releases: they are rendered for what they are."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import msgspec

from helmguard.gitops.documents import Documents, dicts_at, is_templated, text_at
from helmguard.gitops.local_charts import chart_folders
from helmguard.gitops.tree import joined
from helmguard.gitops.values_files import values_layer
from helmguard.model.declared_release import (
    ChartNeed,
    Controller,
    DeclaredRelease,
    FileLine,
    FoundReleases,
)
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Unknown

_TEST_VALUES = re.compile(r"ci/(?P<name>.+)-values\.ya?ml")
"""What chart-testing installs a chart with, one after another (helm/chart-testing pkg/chart/chart.go)."""
_BESIDE = re.compile(r"values[-._](?P<after>.+)\.ya?ml|(?P<before>.+)\.values\.ya?ml")
_FOLDER = re.compile(r"(?P<name>(?:environments|envs|env|values)/.+)\.ya?ml")
_NO_VALUES = frozenset(["schema", "example", "sample"])
_RELEASE_NAME = re.compile(r"[^a-z0-9-]+")
_LONGEST_NAME = 53


class _Variant(msgspec.Struct, frozen=True):
    """A file of values that the chart's author keeps beside it; ``name`` is what it is for."""

    file: str
    name: str
    is_test: bool


def read_chart_releases(documents: Documents, used: frozenset[str]) -> FoundReleases:
    """A release for each file of values that stands with such a chart, else one with the chart's own.

    ``used`` are the chart folders that other releases of the tree use, and the files of values that they
    read. Of a chart in use only files of values that nobody reads are given (``values-staging.yaml`` where
    what installs the chart is for production). A library gives nothing, nor does a chart that another one
    takes in by ``file://`` and that has no such files: what depends on them shows their changes.
    """
    releases: list[DeclaredRelease] = []
    unknown: list[Unknown] = []
    charts: dict[str, JSONObject] = {}
    for folder in chart_folders(documents.own_paths()):
        try:
            charts[folder] = _metadata(documents, folder)
        except ValueError as error:
            unknown.append(Unknown(f"{posixpath.join(folder, 'Chart.yaml')} chart", str(error)))
    inside_others = {taken for folder, chart in charts.items() for taken in _dependencies(folder, chart)}
    for folder, chart in charts.items():
        if text_at(chart, "type") != "library":
            is_used = folder in used or folder in inside_others
            releases += _releases_of(documents, folder, chart, used, is_used)
    return FoundReleases(tuple(releases), tuple(unknown))


def _metadata(documents: Documents, folder: str) -> JSONObject:
    path = posixpath.join(folder, "Chart.yaml")
    if is_templated(documents.tree.read(path)):
        raise ValueError("the chart is a template for charts: Chart.yaml has placeholders")
    why = documents.why_unreadable(path)
    if why:
        raise ValueError(why)
    chart = next((document.body for document in documents.of_file(path)), {})
    if not text_at(chart, "name"):
        raise ValueError("the chart has no name")
    return chart


def _dependencies(folder: str, chart: JSONObject) -> Iterator[str]:
    """The folders of the tree that a chart takes in."""
    for dependency in dicts_at(chart, "dependencies"):
        repository = text_at(dependency, "repository")
        if repository.startswith("file://"):
            taken = joined(folder, repository.removeprefix("file://"))
            if taken is not None:
                yield taken


def _releases_of(
    documents: Documents, folder: str, chart: JSONObject, used: frozenset[str], is_used: bool
) -> Iterator[DeclaredRelease]:
    variants = list(_variants(documents, folder))
    tests = [variant for variant in variants if variant.is_test]
    others = [variant for variant in variants if not variant.is_test and variant.file not in used]
    if folder in used:
        tests = []
    elif not variants and not is_used:
        yield _release(documents, folder, chart, None)
    for variant in (*tests, *others):
        yield _release(documents, folder, chart, variant)


def _variants(documents: Documents, folder: str) -> Iterator[_Variant]:
    """The files, those for tests that are another under its own name (often a link to it) left out."""
    entries = documents.tree.entries
    beside: dict[str, str] = {}
    tests: list[_Variant] = []
    for path in documents.paths.under(folder):
        relative = path.removeprefix(f"{folder}/") if folder else path
        if test := _TEST_VALUES.fullmatch(relative):
            tests.append(_Variant(path, f"ci/{test['name']}", is_test=True))
        elif (name := _name_beside(relative)) and _may_be_values(documents, path):
            beside[name] = path
            yield _Variant(path, name, is_test=False)
    for test_variant in tests:
        other = beside.get(test_variant.name.removeprefix("ci/"))
        if other is None or entries[other] != entries[test_variant.file]:
            yield test_variant


def _name_beside(relative: str) -> str:
    """``values-prod.yaml`` and ``prod.values.yaml`` are ``prod``; below ``environments`` it is the path."""
    if match := _BESIDE.fullmatch(relative):
        name = match["after"] or match["before"]
        return "" if "/" in name or name in _NO_VALUES else name
    if match := _FOLDER.fullmatch(relative):
        return match["name"].removesuffix("/values")
    return ""


def _may_be_values(documents: Documents, path: str) -> bool:
    """Whether it is no object of Kubernetes: kustomize folders are called ``environments`` too."""
    return not any(document.kind and document.api_version for document in documents.of_file(path))


def _release(
    documents: Documents, folder: str, chart: JSONObject, variant: _Variant | None
) -> DeclaredRelease:
    name = text_at(chart, "name")
    shown = folder or name
    with_values = f"with {variant.file}" if variant else "with its own values"
    return DeclaredRelease(
        tool="chart",
        identity=f"chart {shown} ({variant.name})" if variant else f"chart {shown}",
        name=_RELEASE_NAME.sub("-", name.lower()).strip("-")[:_LONGEST_NAME].rstrip("-") or "release",
        namespace="default",
        place=FileLine(variant.file if variant else posixpath.join(folder, "Chart.yaml"), 1),
        chart=ChartNeed("path", path=folder, place=FileLine(posixpath.join(folder, "Chart.yaml"), 1)),
        controller=Controller(
            "helm",
            prunes=True,
            deletes=False,
            remarks=(
                f"nothing in the repository installs the chart {with_values}: name and namespace are made up",
            ),
        ),
        layers=(values_layer(documents, variant.file),) if variant else (),
    )
