"""Folders of trees, written to disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from helmguard.errors import RepositoryError
from helmguard.repository.folder_tree import FolderTree
from helmguard.repository.materialise import materialise


class Written:
    """A tree with whatever names."""

    def __init__(self, *names: str) -> None:
        self.entries: Mapping[str, str] = dict.fromkeys(names, "0")

    def read(self, path: str) -> bytes:
        return path.encode()


def test_a_folder_with_links_and_modes(tmp_path: Path) -> None:
    (tmp_path / "tree/chart/templates").mkdir(parents=True)
    (tmp_path / "tree/chart/templates/x.yaml").write_text("x")
    (tmp_path / "tree/shared.yaml").write_text("s")
    (tmp_path / "tree/chart/linked.yaml").symlink_to("../shared.yaml")
    (tmp_path / "tree/chart/run").write_text("r")
    (tmp_path / "tree/chart/run").chmod(0o755)
    into = materialise(FolderTree(tmp_path / "tree"), "chart/", tmp_path / "out")
    written = {str(path.relative_to(into)): path for path in into.rglob("*") if path.is_file()}
    assert {name: path.read_text() for name, path in written.items()} == {
        "templates/x.yaml": "x",
        "linked.yaml": "s",
        "run": "r",
    }
    assert not written["linked.yaml"].is_symlink()
    assert [name for name, path in written.items() if path.stat().st_mode & 0o111] == ["run"]


def test_all_of_a_tree(tmp_path: Path) -> None:
    assert (materialise(Written("a", "b/c"), "", tmp_path) / "b/c").read_text() == "b/c"


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/x", "a//x", "a/./x", "..", "a/\0"])
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RepositoryError, match="lead out"):
        materialise(Written(name), "", tmp_path / "into")
    assert not (tmp_path / "x").exists()


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "into").mkdir()
    (tmp_path / "into/a").symlink_to(tmp_path / "outside")
    with pytest.raises(RepositoryError, match="is a link"):
        materialise(Written("a"), "", tmp_path / "into")
    assert not (tmp_path / "outside").exists()


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="no folder 'b'"):
        materialise(Written("a/x", "bc/x"), "b", tmp_path)
