"""Ctrl-C and SIGTERM end helmguard at once, and the helm it started with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from controlplane.helm import Helm
from helmguard_program import Helmguard
from which_helm import with_helm_3

SHOP = Path(__file__).parent / "charts" / "shop"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _await(condition: object, seconds: float = 30.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["SIGINT", "SIGTERM"]
)
@pytest.mark.parametrize(
    "how", [("--render", "dry-run"), ("--reuse-values", "--set", "password=other")], ids=["dry-run", "copy"]
)
@with_helm_3
def test_no_helm_is_left_behind(
    helm: Helm,
    helmguard: Helmguard,
    tmp_path: Path,
    number: signal.Signals,
    code: int,
    how: tuple[str, ...],
) -> None:
    """The second way gives helm a copy of the chart that holds the old values."""
    helm.run("install", "shop", SHOP)
    # A helm that renders for ever, but tells its version.
    running, scratch = tmp_path / "running", tmp_path / "scratch"
    scratch.mkdir()
    hanging = tmp_path / "hanging-helm"
    hanging.write_text(
        f'#!/bin/sh\n[ "$1" = version ] && exec {helm.binary} "$@"\n'
        f"echo $$ > {running}.part && mv {running}.part {running}\nexec sleep 600\n"
    )
    hanging.chmod(0o755)
    program = [
        sys.executable,
        "-c",
        # A shell gives what it starts in the background SIGINT ignored; this undoes it.
        "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_module('helmguard', run_name='__main__', alter_sys=True)",
        *("plan", "shop", str(SHOP), *how, "--helm-bin", str(hanging)),
    ]
    process = subprocess.Popen(
        program,
        env=helmguard.environment({"TMPDIR": str(scratch)}),
        cwd=helmguard.home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert _await(running.exists), "helm was not started"
        child = int(running.read_text())
        process.send_signal(number)
        out, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, out) == (code, "")
    assert "Traceback" not in errors
    if number is signal.SIGINT:
        assert errors == "Error: interrupted; nothing was changed\n"
    assert not _is_alive(child)
    assert list(scratch.iterdir()) == []
