"""By which of its inputs a change concerns a release."""

from __future__ import annotations

from typing import Any

import pytest
from memory_tree import MemoryTree
from msgspec.structs import replace

from helmguard.check.concerned import concerned_releases
from helmguard.gitops.documents import Documents
from helmguard.model.declared_release import (
    ChartNeed,
    Controller,
    DeclaredRelease,
    FileLine,
    ReleaseOptions,
    ValuesLayer,
)

CHART = {"charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n", "charts/web/templates/a.yaml": "a: 1\n"}
FILES = {**CHART, "sealed.yaml": "sops: 1\n", "web.yaml": "spec: {values: {a: 1}}\n"}
FIRST = ValuesLayer("yaml", "a.yaml", text=b"a: 1\nb: [1, 2]\n")
SECOND = ValuesLayer(
    "data", "b.yaml", data={"b": {"c": 1, "d": 2}}, text=b"# what it says on which line", line=3
)
SEALED = ValuesLayer("unknown", "sealed.yaml", why="encrypted")
RELEASE = DeclaredRelease(
    "flux",
    "HelmRelease shop/web",
    "web",
    "shop",
    FileLine("web.yaml", 1),
    ChartNeed("path", path="charts/web", place=FileLine("web.yaml", 4)),
    Controller("Flux"),
    layers=(FIRST, SECOND, SEALED),
)


def because(head: DeclaredRelease, files: dict[str, str] | None = None) -> tuple[str, ...] | None:
    """Why a change concerns the release, None where it does not."""
    sides = [Documents(MemoryTree(tree)) for tree in (FILES, {**FILES, **(files or {})})]
    identity = RELEASE.identity
    found = list(concerned_releases({identity: RELEASE}, {identity: head}, *sides))
    return found[0].because if found else None


def layers(*changed: ValuesLayer) -> DeclaredRelease:
    return replace(RELEASE, layers=changed)


@pytest.mark.parametrize(
    ("head", "files", "reasons"),
    [
        (RELEASE, {"README.md": "x", "charts/other/Chart.yaml": "name: other\n"}, None),
        (replace(RELEASE, place=FileLine("elsewhere.yaml", 9), reads=frozenset(["x"])), {}, None),
        (replace(RELEASE, chart=replace(RELEASE.chart, place=FileLine("y.yaml", 2))), {}, None),
        (layers(replace(FIRST, text=b"# why\nb: [1, 2]\na: 1\n"), SECOND, SEALED), {}, None),
        (layers(FIRST, replace(SECOND, data={"b": {"d": 2, "c": 1}}, text=b"", line=1), SEALED), {}, None),
        (layers(replace(FIRST, text=b"a: 1\nb: [2, 1]\n"), SECOND, SEALED), {}, ("values change: a.yaml",)),
        (layers(replace(FIRST, text=b"a: '1'\nb: [1, 2]\n"), SECOND, SEALED), {}, ("values change: a.yaml",)),
        (layers(replace(FIRST, text=b"a: ["), SECOND, SEALED), {}, ("values change: a.yaml",)),
        (layers(SECOND, FIRST, SEALED), {}, ("its values are laid over each other in another order",)),
        (layers(FIRST, SEALED), {}, ("values are no longer read from: b.yaml",)),
        (
            layers(FIRST, SECOND, SEALED, replace(FIRST, source="c.yaml")),
            {},
            ("values are read from another file: c.yaml",),
        ),
        (RELEASE, {"sealed.yaml": "sops: 2\n"}, ("values that cannot be read change: sealed.yaml",)),
        (RELEASE, {"charts/web/templates/a.yaml": "a: 2\n"}, ("the chart's files change: charts/web",)),
        (RELEASE, {"charts/web/NEW": ""}, ("the chart's files change: charts/web",)),
        (
            replace(RELEASE, options=ReleaseOptions(crds="apply")),
            {},
            ("how it is rendered or applied changes in web.yaml",),
        ),
        (
            replace(RELEASE, controller=Controller("Flux", prunes=False)),
            {},
            ("what Flux does with it changes in web.yaml",),
        ),
        (replace(RELEASE, namespace="far"), {}, ("its namespace changes: shop -> far",)),
        (replace(RELEASE, name="www"), {}, ("its release is called www, not web any more",)),
    ],
)
def test_reasons(head: DeclaredRelease, files: dict[str, str], reasons: tuple[str, ...] | None) -> None:
    assert because(head, files) == reasons


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ({"url": "oci://r.example.com/web", "version": "1"}, {"version": "2"}, "chart: web 1 -> 2"),
        ({"url": "oci://r.example.com/web", "version": ""}, {"version": "2"}, "chart: web latest -> 2"),
        (
            {"url": "oci://r.example.com/web", "version": "1"},
            {"url": "oci://s.example.com/web"},
            "chart: oci://r.example.com/web 1 -> oci://s.example.com/web 1",
        ),
    ],
)
def test_charts(old: dict[str, Any], new: dict[str, Any], said: str) -> None:
    before = replace(RELEASE, chart=ChartNeed("oci", **old))
    after = replace(before, chart=replace(before.chart, **new))
    documents = Documents(MemoryTree(FILES))
    [found] = concerned_releases({"x": before}, {"x": after}, documents, documents)
    assert found.because == (said,)


def test_what_comes_and_what_goes_name_their_files() -> None:
    documents = Documents(MemoryTree(FILES))
    other = replace(RELEASE, identity="y")
    found = list(concerned_releases({"x": RELEASE}, {"y": other}, documents, documents))
    assert [one.because for one in found] == [
        ("no longer declared; it was in web.yaml",),
        ("declared anew in web.yaml",),
    ]
