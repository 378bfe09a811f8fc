"""Releases of ``.helmguard.yaml`` on a side of a change."""

from __future__ import annotations

from datetime import date

import pytest
from memory_tree import MemoryTree

from helmguard.config.read_config import read_config
from helmguard.gitops.config_entries import read_config_releases
from helmguard.gitops.documents import Documents
from helmguard.model.declared_release import ChartNeed, DeclaredRelease, FileLine

FILES = {"charts/web/Chart.yaml": "name: web\n", "vendor/web.tgz": "x", "env/prod.yaml": "a: 1\n"}


def releases(entry: str, config_path: str = ".helmguard.yaml") -> list[DeclaredRelease]:
    config = read_config(f"releases:\n- {entry}\n", "shown", date(2026, 11, 30))
    found = read_config_releases(config.releases, Documents(MemoryTree(FILES)), config_path)
    assert found.unknown == ()
    return list(found.releases)


def release(entry: str, config_path: str = ".helmguard.yaml") -> DeclaredRelease:
    (found,) = releases(entry, config_path)
    return found


def test_a_release_of_a_chart_in_the_tree() -> None:
    found = release(
        "{release: web, namespace: shop, chart: charts/web, values: [env/prod.yaml], set: [a=2], "
        "kubeVersion: 1.31.0}"
    )
    assert (found.tool, found.identity, found.name, found.namespace) == (
        "config",
        "config shop/web",
        "web",
        "shop",
    )
    assert found.place == FileLine(".helmguard.yaml", 2)
    assert found.chart == ChartNeed("path", path="charts/web", place=FileLine(".helmguard.yaml", 2))
    assert [(each.kind, each.source, each.text, each.word, each.line) for each in found.layers] == [
        ("yaml", "env/prod.yaml", b"a: 1\n", "", 0),
        ("set", ".helmguard.yaml", b"", "a=2", 2),
    ]
    assert found.options.kube_version == "1.31.0"
    assert (found.controller.name, found.controller.deletes) == ("helm", False)


@pytest.mark.parametrize(
    ("chart", "need"),
    [
        ("chart: vendor/web.tgz", ChartNeed("path", path="vendor/web.tgz")),
        ("chart: ./charts/web/", ChartNeed("path", path="charts/web")),
        ("chart: charts", ChartNeed("unknown", why="there is no chart at charts in the repository")),
        ("chart: ../web", ChartNeed("unknown", why="the chart ../web is outside of the repository")),
        ("chart: oci://r.example.com/web, version: 1.0.0", ChartNeed("oci", url="oci://r.example.com/web")),
        (
            "chart: web, repo: https://c.example.com, version: 1.0.0",
            ChartNeed("repository", url="https://c.example.com", name="web"),
        ),
    ],
)
def test_where_the_chart_is(chart: str, need: ChartNeed) -> None:
    found = release(f"{{release: web, {chart}}}").chart
    assert (found.kind, found.path, found.url, found.name, found.why) == (
        need.kind,
        need.path,
        need.url,
        need.name,
        need.why,
    )
    assert found.version == ("1.0.0" if "version" in chart else "")
    assert found.place == FileLine(".helmguard.yaml", 2)


def test_paths_are_relative_to_the_file() -> None:
    found = release(
        "{release: web, chart: ../charts/web, values: [prod.yaml, ../../x.yaml]}", "env/.helmguard.yaml"
    )
    assert (found.chart.path, str(found.place)) == ("charts/web", "env/.helmguard.yaml:2")
    inside, outside = found.layers
    assert (inside.kind, inside.source) == ("yaml", "env/prod.yaml")
    assert outside.why == "the values file ../../x.yaml is outside of the repository"


def test_values_that_are_not_there_are_unknown() -> None:
    (layer,) = release("{release: web, chart: charts/web, values: [env/test.yaml]}").layers
    assert (layer.kind, layer.why) == ("unknown", "there is no file env/test.yaml in the repository")


def test_the_same_release_in_two_clusters() -> None:
    found = releases(
        "{release: web, chart: charts/web}\n- {release: web, chart: charts/web, cluster: staging}"
    )
    assert [each.identity for each in found] == ["config default/web", "config staging › default/web"]
