"""The one file: written whole or not at all, and nothing of a damaged or hostile one is believed."""

from __future__ import annotations

import gzip
import io
import os
import resource
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from helmguard_program import CHECKOUT

from helmguard.errors import SavedPlanError
from helmguard.model.saved_plan_header import NeededAgain, SavedPlanHeader
from helmguard.saved_plan import archive
from helmguard.saved_plan.archive import HEADER, described, pack, read_parts, write_file

PARTS = {"plan.json": b"{}", "given/00-values.yaml": b"a: 1\n" * 200}


def header(parts: dict[str, bytes] = PARTS, **changed: object) -> bytes:
    made = SavedPlanHeader(
        written_by="helmguard 9.9",
        created="2026-11-30T16:00:00Z",
        operation="upgrade",
        release="web",
        namespace="shop",
        helm="4.3.1",
        kubernetes="v1.36.3",
        command=("upgrade", "web", "./web"),
        exit_code=2,
        needs=NeededAgain(),
        parts={name: described(content) for name, content in parts.items()},
    )
    return msgspec.json.encode({**msgspec.to_builtins(made), **changed})


def good() -> bytes:
    return pack({HEADER: header(), **PARTS})


def tar_of(*entries: tuple[tarfile.TarInfo, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for entry, content in entries:
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    return made


def flipped(data: bytes) -> bytes:
    """One bit of a part's content changed, the checksum of the gzip made right."""
    plain = bytearray(gzip.decompress(data))
    plain[plain.rindex(b"a: 1")] ^= 1
    return gzip.compress(bytes(plain))


DAMAGED: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "no saved plan"),
    "a YAML file": (lambda: b"a: 1\n", "no saved plan"),
    "cut in half": (lambda: good()[: len(good()) // 2], "damaged"),
    "without its last byte": (lambda: good()[:-1], "damaged"),
    "a byte of the compressed stream": (lambda: good()[:60] + b"\xff\xff" + good()[62:], "damaged"),
    "a bit of a part": (
        lambda: flipped(good()),
        "the content of given/00-values.yaml is not what was written",
    ),
    "gzip, no tar": (lambda: gzip.compress(b"x" * 2000), "damaged"),
    "no header": (lambda: pack(PARTS), "it has no header.json"),
    "a header that is no JSON": (lambda: pack({HEADER: b"{", **PARTS}), "damaged: header.json"),
    "a header that is a list": (lambda: pack({HEADER: b"[]", **PARTS}), "damaged: header.json"),
    "a header without fields": (
        lambda: pack({HEADER: b'{"formatVersion": "helmguard.saved-plan/v1"}', **PARTS}),
        "damaged: header.json",
    ),
    "a field of another type": (
        lambda: pack({HEADER: header(exitCode="two"), **PARTS}),
        "damaged: header.json",
    ),
    "a part is missing": (
        lambda: pack({HEADER: header(), "plan.json": b"{}"}),
        "given/00-values.yaml is missing",
    ),
    "a part too many": (
        lambda: pack({HEADER: header(), **PARTS, "more.txt": b""}),
        "more.txt is not in its list of parts",
    ),
    "another format": (
        lambda: pack({HEADER: header(formatVersion="someone.else/v1"), **PARTS}),
        "its format is 'someone.else/v1'",
    ),
    "a newer format": (
        lambda: pack({HEADER: b'{"formatVersion": "helmguard.saved-plan/v2", "writtenBy": "helmguard 7.0"}'}),
        "was written by helmguard 7.0 in format v2; this helmguard reads v1",
    ),
    "a way out": (lambda: tar_of((entry("../escape"), b"x")), "it holds '../escape'"),
    "an absolute name": (lambda: tar_of((entry("/etc/passwd"), b"x")), "it holds '/etc/passwd'"),
    "a way out inside": (lambda: tar_of((entry("given/../../x"), b"x")), "it holds 'given/../../x'"),
    "a hidden file": (lambda: tar_of((entry("given/.ssh"), b"x")), "it holds 'given/.ssh'"),
    "a symbolic link": (
        lambda: tar_of((entry("header.json", tarfile.SYMTYPE, "/etc/passwd"), b"")),
        "it holds 'header.json'",
    ),
    "a hard link": (lambda: tar_of((entry("plan.json", tarfile.LNKTYPE, "x"), b"")), "it holds 'plan.json'"),
    "a device": (lambda: tar_of((entry("plan.json", tarfile.CHRTYPE), b"")), "it holds 'plan.json'"),
    "a folder": (lambda: tar_of((entry("given", tarfile.DIRTYPE), b"")), "it holds 'given'"),
    "a part twice": (
        lambda: tar_of((entry(HEADER), header()), (entry("plan.json"), b"1"), (entry("plan.json"), b"2")),
        "it holds 'plan.json' twice",
    ),
    "a name with control signs": (lambda: tar_of((entry("a\x1b[31m"), b"x")), r"it holds 'a\x1b[31m'"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_one_clear_error(name: str, tmp_path: Path) -> None:
    make, said = DAMAGED[name]
    file = tmp_path / "web.hgplan"
    file.write_bytes(make())
    with pytest.raises(SavedPlanError) as raised:
        read_parts(file)
    assert said in raised.value.message
    assert str(file) in raised.value.message
    assert raised.value.remedy
    assert "\x1b" not in raised.value.message
    assert [path.name for path in tmp_path.iterdir()] == ["web.hgplan"]


def test_every_shorter_file_is_damaged(tmp_path: Path) -> None:
    data, file = good(), tmp_path / "web.hgplan"
    for length in range(0, len(data), 7):
        file.write_bytes(data[:length])
        with pytest.raises(SavedPlanError):
            read_parts(file)


def test_a_bomb_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_LARGEST", 1 << 20)
    file = tmp_path / "bomb.hgplan"
    for content, said in (
        (tar_of((entry("plan.json"), bytes(2 << 20))), "plan.json is larger than 1 MiB"),
        (tar_of(*((entry(f"p{index}"), bytes(300_000)) for index in range(5))), "unpacks to more than 1 MiB"),
        (gzip.compress(bytes(3 << 20)), "unpacks to more than 1 MiB"),
    ):
        file.write_bytes(content)
        with pytest.raises(SavedPlanError) as raised:
            read_parts(file)
        assert said in raised.value.message
    monkeypatch.setattr(archive, "_MOST_PARTS", 9)
    many = [(entry(f"p{index}"), b"") for index in range(10)]
    file.write_bytes(tar_of(*many))
    with pytest.raises(SavedPlanError, match="too many parts"):
        read_parts(file)


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    for place in (tmp_path / "none.hgplan", tmp_path):
        with pytest.raises(SavedPlanError, match="cannot read"):
            read_parts(place)


def test_it_comes_back_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "web.hgplan"
    write_file(file, good())
    read, parts = read_parts(file)
    assert parts == PARTS
    assert read.release == "web"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["web.hgplan"]


def test_an_earlier_plan_is_replaced_and_any_other_file_is_not(tmp_path: Path) -> None:
    file = tmp_path / "web.hgplan"
    write_file(file, good())
    write_file(file, good())
    for content in (b"a: 1\n", gzip.compress(b"x"), tar_of((entry("x"), b""))):
        file.write_bytes(content)
        with pytest.raises(SavedPlanError, match="exists and is no saved plan"):
            write_file(file, good())
        assert file.read_bytes() == content
    with pytest.raises(SavedPlanError, match="is a folder"):
        write_file(tmp_path, good())


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(SavedPlanError, match=r"cannot write .*: no such file or directory"):
        write_file(tmp_path / "none" / "web.hgplan", good())


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    """A limit of file sizes stands in for a full disk: the write fails in the middle."""
    file = tmp_path / "web.hgplan"
    write_file(file, good())
    before = file.read_bytes()
    program = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from helmguard.errors import SavedPlanError\n"
        "from helmguard.saved_plan.archive import write_file\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n"
        "    write_file(Path(sys.argv[1]), b'x' * 5000)\n"
        "except SavedPlanError as error:\n"
        "    print(error.message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(file)],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "cannot write" in done.stdout
    assert "no saved plan is there that was not there before" in done.stdout
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["web.hgplan"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 1000
