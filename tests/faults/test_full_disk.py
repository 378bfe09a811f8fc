"""The disk is full: before anything is done that stops all, afterwards it is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from helmguard_program import Ended
from web import SMALL, Web, told, upgrade
from which_helm import with_helm_3, with_helm_4

# The program in a process whose files cannot grow beyond so many bytes, as on a disk that is full.
_LIMITED = (
    "import resource, runpy, sys; size = int(sys.argv.pop(1)); "
    "resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)); "
    "runpy.run_module('helmguard', run_name='__main__', alter_sys=True)"
)


def run_limited(web: Web, size: int, *words: str | Path) -> Ended:
    command = [sys.executable, "-c", _LIMITED, str(size), *map(str, words)]
    environ = web.program.environment({"PYTHONDONTWRITEBYTECODE": "1"})
    done = subprocess.run(command, env=environ, cwd=web.program.home, capture_output=True, text=True)
    return Ended(tuple(command), done.returncode, done.stdout, done.stderr)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


def events(log: Path) -> list[str]:
    return [json.loads(line)["event"] for line in log.read_text().splitlines()]


@with_helm_3
def test_the_audit_log_cannot_be_begun(web: Web, chart: Path) -> None:
    """Every device that is always full says so at the first line: nothing is done without its record."""
    ended = web.run(*upgrade(chart, "--audit-log", "/dev/full"))
    ended.expect_error("the audit log /dev/full cannot be written", "No space left", "nothing was changed")
    assert (web.sizes, web.statuses) == (SMALL, {1: "deployed"})


@with_helm_4
def test_the_audit_log_is_full_when_the_end_is_to_be_told(web: Web, chart: Path, log: Path) -> None:
    """The run itself is told as it went; the missing line is told, too."""
    web.run(*upgrade(chart, "--audit-log", log))
    before = log.read_text()
    started = before.splitlines(keepends=True)[0]
    web.helm.run("rollback", "web", "1")
    # Room for all that a process writes into memory, and in this file for the first line and a part of the
    # second.
    log.write_text(before * 300)
    room = log.stat().st_size + len(started) + 100
    ended = run_limited(web, room, *upgrade(chart, "--audit-log", log))
    told(web, ended, 0)
    assert f"the audit log {log} cannot be written" in ended.err
    assert web.statuses[4] == "deployed"
    assert events(log)[-2:] == ["ended", "started"]


@with_helm_3
def test_nothing_can_be_written_at_all(web: Web, chart: Path) -> None:
    ended = run_limited(web, 0, *upgrade(chart))
    ended.expect(1)
    assert (web.sizes, web.statuses) == (SMALL, {1: "deployed"})
    assert "nothing was changed" in ended.err


@with_helm_4
def test_a_plan_cannot_be_saved(web: Web, chart: Path, tmp_path: Path) -> None:
    saved = tmp_path / "web.hgplan"
    ended = run_limited(web, 2000, "plan", "web", chart, "--set", "size=large", "--out", saved)
    assert "no saved plan is there that was not there before" in ended.expect(1).err
    assert not saved.exists()
    assert list(tmp_path.glob("*hgplan*")) == []
