"""Standard streams that go away, are closed or are full."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helmguard_program import Helmguard

LARGE = ["demo", "-o", "json"]
"""More than a pipe holds, so that a reader that leaves is noticed."""


def start(helmguard: Helmguard, words: list[str], **streams: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "helmguard", *words],
        env=helmguard.environment(),
        cwd=helmguard.home,
        stderr=subprocess.PIPE,
        **streams,  # type: ignore[call-overload, no-any-return, unused-ignore]
    )


@pytest.mark.parametrize(("words", "code"), [(LARGE, 3), (["plan", "--help"], 0), (["--help"], 0)], ids=str)
def test_a_reader_that_leaves_changes_neither_code_nor_peace(
    helmguard: Helmguard, words: list[str], code: int
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = start(helmguard, words, stdout=writing)
    os.close(writing)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (code, b"")


@pytest.mark.parametrize(("words", "code"), [(LARGE, 3), (["--version"], 0)], ids=str)
def test_a_closed_stdout_is_no_error(helmguard: Helmguard, words: list[str], code: int) -> None:
    line = 'exec "$0" -m helmguard "$@" >&-'
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable, *words],
        env=helmguard.environment(),
        cwd=helmguard.home,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_an_error(helmguard: Helmguard) -> None:
    with Path("/dev/full").open("wb") as full:
        process = start(helmguard, LARGE, stdout=full.fileno())
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors == b"Error: No space left on device\n"


def test_characters_that_stdout_cannot_write_become_escapes(helmguard: Helmguard, helm3: Path) -> None:
    chart = helmguard.home / "web"
    chart.mkdir()
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
    (chart / "values.yaml").write_text("greeting: grüße\n", encoding="utf-8")
    settings = {"PYTHONIOENCODING": "ascii", "HELM_BIN": str(helm3)}
    page = helmguard.run("values", "web", chart, "--no-cluster", settings=settings).expect(0).out
    assert "gr\\xfc\\xdfe" in page
