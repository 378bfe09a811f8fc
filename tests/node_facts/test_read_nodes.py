"""Whatever the user names as nodes is read: archives, folders, roots, files, standard input."""

from __future__ import annotations

import io
import json
import sqlite3
import struct
import tarfile
from pathlib import Path

import pytest
from node_roots import gpu_node, write_root

from helmguard.cli.node_collect import build_parser, run
from helmguard.errors import NodeFactsError
from helmguard.node_facts.archive import facts_to_dict, write_archive
from helmguard.node_facts.collect import collect_node
from helmguard.node_facts.read_nodes import read_nodes


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_root(tmp_path / "gpu-a", gpu_node())


def test_each_kind_of_path(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = collect_node(root)
    folder = tmp_path / "facts"
    folder.mkdir()
    write_archive(facts, folder / "b.tar.gz")
    write_archive(facts, folder / "a.tgz")
    (folder / "notes.txt").write_text("")
    with tarfile.open(folder / "a.tgz") as tar:
        tar.extractall(tmp_path / "unpacked", filter="data")
    line = json.dumps(facts_to_dict(facts))
    (tmp_path / "x.jsonl").write_text(f"some words\n{line}\n{{}}\n{line}\n")
    (tmp_path / "x.json").write_text(json.dumps(facts_to_dict(facts), indent=2))
    monkeypatch.setattr("sys.stdin", io.StringIO(line))
    names = {
        str(folder): 2,
        str(folder / "a.tgz"): 1,
        str(tmp_path / "unpacked"): 1,
        str(root): 1,
        str(tmp_path / "x.jsonl"): 2,
        str(tmp_path / "x.json"): 1,
        "-": 1,
    }
    for path, count in names.items():
        found = read_nodes([path])
        assert len(found) == count
        assert found[0].files == facts.files
        assert found[0].paths == facts.paths


def test_a_folder_of_roots_an_empty_folder_and_a_main_file(tmp_path: Path, root: Path) -> None:
    write_root(tmp_path / "gpu-b", gpu_node())
    assert [one.name for one in read_nodes([str(tmp_path)])] == ["gpu-a", "gpu-b"]
    (tmp_path / "empty").mkdir()
    assert read_nodes([str(tmp_path / "empty")])[0].files == {}
    main = root / "etc/containerd/config.toml"
    assert list(read_nodes([str(main)])[0].files) == [
        str(main.parent / "conf.d/99-nvidia.toml"),
        str(main),
    ]


def test_an_archive_in_a_root_does_not_make_it_a_folder_of_archives(root: Path) -> None:
    (root / "backup.tar.gz").write_bytes(b"x")
    assert len(read_nodes([str(root)])) == 1


def test_names_are_made_unique(root: Path) -> None:
    assert [one.name for one in read_nodes([str(root)] * 3)] == ["gpu-a", "gpu-a (2)", "gpu-a (3)"]


@pytest.mark.parametrize(
    "name", ["gone", "gone.toml", "gone.tar.gz", "gone.json", "what.txt", "none.json", "d.toml"]
)
def test_what_cannot_be_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "what.txt").write_text("x")
    (tmp_path / "none.json").write_text("[]")
    (tmp_path / "link").symlink_to("link")
    with pytest.raises(NodeFactsError):
        read_nodes([str(tmp_path / name)])


def _run(*words: str) -> int:
    return run(build_parser().parse(words))


def test_the_command_writes_an_archive(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert _run("--root", str(root)) == 0
    written = capsys.readouterr()
    assert written.out == ""
    assert "wrote node-facts-gpu-a.tar.gz" in written.err
    assert "containerd 2.1.4-1, /etc/containerd/config.toml" in written.err
    found = read_nodes(["node-facts-gpu-a.tar.gz"])[0]
    assert found.collected.endswith("Z")


def test_the_command_prints_one_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--root", str(root), "--name", "other", "-o", "-", "-q") == 0
    written = capsys.readouterr()
    assert written.err == ""
    assert written.out.count("\n") == 1
    assert json.loads(written.out)["name"] == "other"


def test_the_command_takes_another_main_file(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--root", str(root), "--config", "/etc/gone.toml", "-o", "-") == 0
    written = capsys.readouterr()
    assert "/etc/gone.toml (not there)" in written.err
    assert json.loads(written.out)["containerd"]["configPath"] == "/etc/gone.toml"


def _rpm_header(**tags: str) -> bytes:
    numbers = {"name": 1000, "version": 1001, "release": 1002}
    index, store = b"", b""
    for tag, text in tags.items():
        index += struct.pack(">IIII", numbers[tag], 6, len(store), 1)
        store += text.encode() + b"\0"
    return struct.pack(">II", len(tags), len(store)) + index + store


def test_rpms_database(tmp_path: Path) -> None:
    root = write_root(tmp_path / "node", {"/usr/lib/sysimage/rpm/x": "", "/usr/bin/containerd": ""})
    database = sqlite3.connect(root / "usr/lib/sysimage/rpm/rpmdb.sqlite")
    database.execute("CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB)")
    database.execute("CREATE TABLE Name (key TEXT, hnum INTEGER, idx INTEGER)")
    header = _rpm_header(name="containerd", version="1.7.27", release="1.amzn2023.0.4")
    database.execute("INSERT INTO Packages VALUES (7, ?)", (header,))
    database.execute("INSERT INTO Name VALUES ('containerd', 7, 0)")
    database.commit()
    database.close()
    containerd = collect_node(root).containerd
    assert containerd.version == "1.7.27-1.amzn2023.0.4"
    assert containerd.version_from == "/usr/lib/sysimage/rpm/rpmdb.sqlite"
    (root / "usr/lib/sysimage/rpm/rpmdb.sqlite").write_bytes(b"SQLite format 3\0 damaged")
    assert collect_node(root).containerd.version == ""
