"""Archives of facts: what is written comes back, and nothing that is damaged or hostile is believed."""

from __future__ import annotations

import gzip
import io
import json
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from node_roots import gpu_node, write_root

from helmguard.errors import NodeFactsError
from helmguard.model.node_facts import (
    ContainerdFacts,
    DriverFacts,
    KubeletFacts,
    Library,
    Marker,
    NodeFacts,
    NodeFile,
    PathFacts,
    SystemFacts,
    UnreadFact,
)
from helmguard.node_facts.archive import (
    facts_from_dict,
    facts_to_dict,
    pack,
    read_archive,
    read_unpacked,
    write_archive,
)
from helmguard.node_facts.collect import collect_node

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "node-facts.schema.json").read_text())

_TEXT = st.text(max_size=12)
_WITH_BYTES = st.binary(max_size=12).map(lambda data: data.decode("utf-8", "surrogateescape"))
_PATH = st.lists(
    st.text(
        st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=5
    ).filter(lambda part: part not in (".", "..")),
    min_size=1,
    max_size=3,
).map(lambda parts: "/" + "/".join(parts))
_FILE = st.builds(NodeFile, text=_WITH_BYTES, dropped=st.integers(0, 9)) | st.builds(
    NodeFile, text=st.none(), why=_TEXT
)
_PATH_FACTS = st.builds(
    PathFacts,
    kind=st.sampled_from(["file", "folder", "device", "other", "absent", "unknown"]),
    target=_TEXT,
    executable=st.booleans(),
    form=st.sampled_from(["elf", "script", ""]),
    calls=st.lists(_TEXT, max_size=2).map(tuple),
)
_FACTS = st.builds(
    NodeFacts,
    name=st.just("gpu-a") | st.just("gpu-a (2)"),
    files=st.dictionaries(_PATH, _FILE, max_size=3),
    paths=st.dictionaries(_PATH, _PATH_FACTS, max_size=3),
    containerd=st.builds(
        ContainerdFacts,
        version=_TEXT,
        config_from=_TEXT,
        environment=st.dictionaries(_TEXT, _TEXT, max_size=2),
    ),
    kubelet=st.builds(KubeletFacts, cgroup_driver=_TEXT, line=st.integers(0, 9)),
    driver=st.builds(
        DriverFacts,
        kernel_known=st.booleans(),
        libraries=st.lists(st.builds(Library, name=_TEXT, path=_TEXT, version=_TEXT), max_size=2).map(tuple),
        pci=st.none() | st.lists(_TEXT, max_size=2).map(tuple),
    ),
    system=st.builds(
        SystemFacts,
        os_id=_TEXT,
        cgroup=st.sampled_from(["v1", "v2", ""]),
        markers=st.just((Marker("k3s", "/etc/rancher/k3s"),)) | st.just(()),
    ),
    cdi_folders=st.lists(_PATH, max_size=2).map(tuple),
    labels=st.dictionaries(_TEXT, _TEXT, max_size=2),
    collected=_TEXT,
    source=st.just("x"),
    unread=st.lists(st.builds(UnreadFact, what=_TEXT, why=_TEXT), max_size=2).map(tuple),
)


@settings(max_examples=40)
@given(_FACTS)
def test_facts_come_back_from_a_document(facts: NodeFacts) -> None:
    document = json.loads(json.dumps(facts_to_dict(facts)))
    assert facts_from_dict(document) == facts


@settings(max_examples=40)
@given(facts=_FACTS)
def test_facts_come_back_from_an_archive(facts: NodeFacts, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "one.tar.gz"
    write_archive(facts, path)
    found = read_archive(path)
    assert facts_to_dict(found) == {**facts_to_dict(facts), "source": str(path)}
    assert pack(facts) == path.read_bytes()


def test_what_was_collected_fits_the_schema_and_unpacks_by_hand(tmp_path: Path) -> None:
    facts = collect_node(write_root(tmp_path / "gpu-a", gpu_node()))
    jsonschema.validate(facts_to_dict(facts), SCHEMA)
    jsonschema.validate(facts_to_dict(collect_node(tmp_path)), SCHEMA)
    path = tmp_path / "a.tar.gz"
    write_archive(facts, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    folder = tmp_path / "unpacked"
    with tarfile.open(path) as tar:
        assert tar.getnames()[0] == "node-facts.json"
        tar.extractall(folder, filter="data")
    unpacked = read_unpacked(folder)
    assert facts_to_dict(unpacked) == {**facts_to_dict(facts), "source": str(folder)}
    assert (folder / "files/etc/containerd/config.toml").read_text() == facts.files[
        "/etc/containerd/config.toml"
    ].text


def _archive(path: Path, *members: tuple[str | tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members:
            entry = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return path


def _special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type = kind
    entry.linkname = target
    return entry


def _record(**changes: Any) -> bytes:
    return json.dumps(
        {"formatVersion": "helmguard.node-facts/v1", "name": "a", "files": {}, **changes}
    ).encode()


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ([], "no node-facts.json"),
        ([("node-facts.json", b"{")], "no JSON"),
        ([("node-facts.json", b"[]")], "no object"),
        ([("node-facts.json", b"{}"), ("files/a", b"")], "no list of files"),
        ([("node-facts.json", b'{"files": {}}')], "no facts of a node"),
        ([("node-facts.json", _record(formatVersion="helmguard.node-facts/v2"))], "format v2"),
        ([("node-facts.json", _record(name="../x"))], "no name of a node"),
        ([("node-facts.json", _record(name=5))], "damaged"),
        ([("node-facts.json", _record(files={"/a": {}}))], "files/a is missing"),
        ([("node-facts.json", _record(files={"/../a": {"why": ""}}))], "no path"),
        ([("node-facts.json", _record(files={"a": {"why": ""}}))], "no path"),
        ([("node-facts.json", _record(paths={"/a": {"kind": "strange"}}))], "damaged"),
        ([("node-facts.json", _record()), ("node-facts.json", _record())], "twice"),
        ([("node-facts.json", _record()), ("files/../../x", b"")], "no archive of facts"),
        ([("node-facts.json", _record()), ("/etc/passwd", b"")], "no archive of facts"),
        (
            [("node-facts.json", _record()), (_special("files/a", tarfile.SYMTYPE, "/etc/passwd"), b"")],
            "which no",
        ),
        (
            [("node-facts.json", _record()), (_special("files/a", tarfile.LNKTYPE, "node-facts.json"), b"")],
            "which",
        ),
        ([("node-facts.json", _record()), (_special("files/a", tarfile.CHRTYPE), b"")], "which no"),
    ],
)
def test_archives_that_are_not_believed(
    tmp_path: Path, members: list[tuple[str | tarfile.TarInfo, bytes]], told: str
) -> None:
    with pytest.raises(NodeFactsError, match=told) as raised:
        read_archive(_archive(tmp_path / "a.tar.gz", *members))
    assert raised.value.remedy


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"no gzip",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-4],
        lambda data: data[:40] + b"\0\0\0\0" + data[44:],
        lambda data: gzip.compress(b"no tar" * 200),
    ],
)
def test_damaged_archives(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(damage(pack(collect_node(write_root(tmp_path / "gpu-a", gpu_node())))))
    with pytest.raises(NodeFactsError):
        read_archive(path)


def test_an_archive_that_unpacks_to_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("helmguard.node_facts.archive.LARGEST", 1 << 20)
    bomb = _archive(tmp_path / "a.tar.gz", ("node-facts.json", _record()), ("files/a", b"\0" * (2 << 20)))
    assert bomb.stat().st_size < 1 << 20
    with pytest.raises(NodeFactsError, match="1 MiB"):
        read_archive(bomb)


def test_links_of_an_unpacked_archive_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("outside")
    folder = write_root(tmp_path / "a", {"/node-facts.json": _record(files={"/a": {}}).decode()})
    (folder / "files").mkdir()
    (folder / "files/a").symlink_to(tmp_path / "secret")
    with pytest.raises(NodeFactsError, match="missing"):
        read_unpacked(folder)


def test_where_it_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(NodeFactsError, match="cannot write"):
        write_archive(NodeFacts("a"), tmp_path / "absent" / "a.tar.gz")
    (tmp_path / "folder").mkdir()
    with pytest.raises(NodeFactsError, match="cannot write"):
        write_archive(NodeFacts("a"), tmp_path / "folder")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]
