"""Where the charts of a tree are, and what each of them rests on."""

from __future__ import annotations

import pytest
from memory_tree import MemoryTree

from helmguard.gitops.documents import Documents
from helmguard.gitops.local_charts import (
    chart_folders,
    charts_by_version,
    local_chart_digest,
    local_chart_inputs,
    missing_dependencies,
    stand_ins,
)

LIB = "name: lib\nversion: 1.0.0\n"


def chart(*dependencies: str, name: str = "web") -> str:
    listed = "".join(f"- {{{entry}}}\n" for entry in dependencies)
    return f"name: {name}\nversion: 1.0.0\n" + (f"dependencies:\n{listed}" if listed else "")


def documents(files: dict[str, str]) -> Documents:
    return Documents(MemoryTree(files))


@pytest.mark.parametrize(
    ("paths", "folders"),
    [
        ((), []),
        (("Chart.yaml",), [""]),
        (("b/Chart.yaml", "a/Chart.yaml", "a/values.yaml"), ["a", "b"]),
        (("charts/a/Chart.yaml", "charts/b/c/Chart.yaml"), ["charts/a", "charts/b/c"]),
        (("a/Chart.yaml", "a/charts/b/Chart.yaml", "a/charts/b/charts/c/Chart.yaml"), ["a"]),
        (("a/Chart.yaml", "a/test-chart/Chart.yaml"), ["a", "a/test-chart"]),
        (("Chart.yaml", "charts/b/Chart.yaml"), [""]),
    ],
)
def test_folders(paths: tuple[str, ...], folders: list[str]) -> None:
    assert chart_folders(paths) == folders


NEEDS_LIB = chart("name: lib, version: 1.x, repository: 'file://../lib'")


@pytest.mark.parametrize(
    ("held", "inputs"),
    [
        ({}, {"web", "lib", "base"}),
        ({"web/charts/lib/Chart.yaml": LIB}, {"web"}),
        ({"web/charts/lib-1.0.0.tgz": "archive"}, {"web"}),
        ({"web/charts/lib-more-1.0.0.tgz": "archive"}, {"web", "lib", "base"}),
    ],
)
def test_what_a_chart_holds_is_not_taken_from_elsewhere(held: dict[str, str], inputs: set[str]) -> None:
    files = {
        "web/Chart.yaml": NEEDS_LIB,
        "lib/Chart.yaml": "name: lib\nversion: 1.0.0\n",
        "lib/requirements.yaml": "dependencies: [{name: base, repository: 'file://../base'}]",
        "base/Chart.yaml": "name: base\nversion: 1.0.0\n",
    }
    assert local_chart_inputs(documents({**files, **held}), "web") == inputs


def test_charts_that_depend_on_each_other_end() -> None:
    files = {
        "a/Chart.yaml": chart("name: b, repository: 'file://../b'", name="a"),
        "b/Chart.yaml": chart("name: a, repository: 'file://../a'", name="b"),
    }
    assert local_chart_inputs(documents(files), "a") == {"a", "b"}


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({"other.yaml": "x"}, True),
        ({"web-2/Chart.yaml": "x"}, True),
        ({"web/values.yaml": "a: 2"}, False),
        ({"web/new.yaml": ""}, False),
        ({"lib/values.yaml": "a: 2"}, False),
    ],
)
def test_the_digest_changes_with_what_the_chart_rests_on(changed: dict[str, str], same: bool) -> None:
    files = {
        "web/Chart.yaml": NEEDS_LIB,
        "web/values.yaml": "a: 1",
        "lib/Chart.yaml": LIB,
        "lib/values.yaml": "a: 1",
    }
    digests = {local_chart_digest(documents(some), "web") for some in (files, {**files, **changed})}
    assert (len(digests) == 1) is same


def test_the_digest_of_a_chart_that_moved_with_its_neighbours_is_the_same() -> None:
    files = {"web/Chart.yaml": NEEDS_LIB, "lib/Chart.yaml": LIB}
    moved = {f"charts/{path}": text for path, text in files.items()}
    assert local_chart_digest(documents(files), "web") == local_chart_digest(documents(moved), "charts/web")


def test_an_archive_is_its_content() -> None:
    one, other = (local_chart_digest(documents({"web.tgz": text}), "web.tgz") for text in ("1", "2"))
    assert one != other


@pytest.mark.parametrize(
    ("lock", "found"),
    [
        ("", frozenset()),
        ("dependencies: [{name: lib, version: 1.0.0}]", frozenset({"lib"})),
        ("dependencies: [{name: lib, version: 1.0.1}]", frozenset()),
        ("dependencies: [", frozenset()),
    ],
)
def test_the_tree_s_own_chart_of_the_locked_version(lock: str, found: frozenset[str]) -> None:
    needs = chart("name: lib, version: 1.x, repository: 'https://charts.example.com'")
    tree = documents({"web/Chart.yaml": needs, "web/Chart.lock": lock, "lib/Chart.yaml": LIB})
    assert [entry.name for entry in missing_dependencies(tree, "web")] == ["lib"]
    assert stand_ins(tree, "web", charts_by_version(tree)) == found


class _Linked(MemoryTree):
    linked = frozenset({"latest/Chart.yaml", "latest/app.yaml"})


def test_what_a_link_shows_is_not_found_twice() -> None:
    app = "kind: Application\nmetadata: {name: web}\n"
    files = {f"{folder}/{name}": text for folder in ("v1", "latest") for name, text in [("app.yaml", app)]}
    tree = Documents(_Linked({**files, "v1/Chart.yaml": LIB, "latest/Chart.yaml": LIB}))
    assert [document.file for document in tree.of_kinds("Application")] == ["v1/app.yaml"]
    assert charts_by_version(tree) == {("lib", "1.0.0"): "v1"}
    assert [document.name for document in tree.of_file("latest/app.yaml")] == ["web"]
