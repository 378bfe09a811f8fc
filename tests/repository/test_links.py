"""Symbolic links in a listing."""

from __future__ import annotations

import pytest

from helmguard.repository import links as module
from helmguard.repository.links import linked_files, real_path

FILES = ("a", "d/x", "d/e/y")


@pytest.mark.parametrize(
    ("links", "shown"),
    [
        ({"l": "a"}, {"l": "a"}),
        ({"d/l": "../a"}, {"d/l": "a"}),
        ({"l": "d"}, {"l/x": "d/x", "l/e/y": "d/e/y"}),
        ({"l": "d/", "m": "l/e"}, {"l/x": "d/x", "l/e/y": "d/e/y", "m/y": "d/e/y"}),
        ({"l": "m", "m": "a"}, {"l": "a", "m": "a"}),
        ({"l": "d/../a"}, {"l": "a"}),
        ({"l": "l"}, {}),
        ({"l": "m", "m": "l"}, {}),
        ({"l": "."}, {}),
        ({"d/l": ".."}, {}),
        ({"d/e/l": "../../d"}, {}),
        ({"l": "/a"}, {}),
        ({"l": "../a"}, {}),
        ({"l": "none"}, {}),
        ({"l": ""}, {}),
        ({"l": "d", "d/m": "../a"}, {"d/m": "a", "l/x": "d/x", "l/e/y": "d/e/y", "l/m": "a"}),
    ],
)
def test_what_links_show(links: dict[str, str], shown: dict[str, str]) -> None:
    assert linked_files(FILES, links) == shown


def test_folders_that_link_to_each_other_end() -> None:
    files = ("b/1", "c/2")
    assert linked_files(files, {"b/l": "../c", "c/m": "../b"}) == {"b/l/2": "c/2", "c/m/1": "b/1"}


@pytest.mark.parametrize("file", ["f30/x", "elsewhere/x"])
def test_links_that_multiply_are_cut(monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    monkeypatch.setattr(module, "MOST_LINKED", 1000)
    links = {f"f{number}/{side}": f"../f{number + 1}" for number in range(30) for side in "lr"}
    assert len(linked_files((file,), links)) <= 1000


def test_links_in_links_end() -> None:
    links = {f"f{number:04}/l": f"../f{number + 1:04}" for number in range(3000)}
    shown = linked_files(("f0020/x",), links)
    assert shown["f0018/l/l/x"] == "f0020/x"


def test_too_many_hops() -> None:
    links = {f"l{number}": f"l{number + 1}" for number in range(60)}
    assert real_path("l0", links) is None
    assert real_path("l30", links) == "l60"
