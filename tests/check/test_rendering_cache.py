"""The cache of renderings on disk: for this user alone, and never trusted for more than it is."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from changes import CHART, check_folders, only

import helmguard.check.renderings as renderings
from helmguard.model.plan import Plan

BASE = {**CHART, "charts/web/values-prod.yaml": "level: warn\n"}
HEAD = {**CHART, "charts/web/values-prod.yaml": "level: debug\n"}


def check(tmp_path: Path, helm: Path) -> Plan:
    plan = only(check_folders(tmp_path, helm, BASE, HEAD, cache=tmp_path / "cache")).plan
    assert plan is not None
    return plan


def files(tmp_path: Path) -> dict[Path, int]:
    """The cache's files, each with the number that a new one in its place would not have."""
    return {path: path.stat().st_ino for path in (tmp_path / "cache").rglob("*") if path.is_file()}


def test_it_is_for_this_user_and_used_again(tmp_path: Path, helm3: Path) -> None:
    first = check(tmp_path, helm3)
    kept = files(tmp_path)
    assert len(kept) == 2, "one a side"
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    folders = {path for file in kept for path in (file.parent, file.parent.parent)}
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}
    assert check(tmp_path, helm3) == first
    assert files(tmp_path) == kept


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:20],
        lambda data: b"",
        lambda data: b"\0" + data,
        lambda data: zlib.compress(b'{"rendered": 3}'),
        lambda data: zlib.compress(b"\xff"),
    ],
    ids=["cut", "empty", "changed", "of another shape", "no text"],
)
def test_what_is_damaged_is_made_again(tmp_path: Path, helm3: Path, damage: Callable[[bytes], bytes]) -> None:
    first = check(tmp_path, helm3)
    for path in files(tmp_path):
        path.write_bytes(damage(path.read_bytes()))
    assert check(tmp_path, helm3) == first


def test_another_version_of_helmguard_makes_its_own(
    tmp_path: Path, helm3: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(tmp_path, helm3)
    monkeypatch.setattr(renderings, "__version__", "0.0.0")
    check(tmp_path, helm3)
    assert len(files(tmp_path)) == 4


def test_a_cache_that_cannot_be_written_is_none(tmp_path: Path, helm3: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert check(tmp_path, helm3).resources
