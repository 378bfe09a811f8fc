"""A helm that acts, watched: its lines as they come, its end, and that it outlives whoever watches it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from helmguard.errors import HelmError
from helmguard.helm.long_run import LongRun


def shell(script: str, text: bytes | None = None) -> LongRun:
    return LongRun(["/bin/sh", "-c", script], environ=dict(os.environ), text=text)


def ended(run: LongRun) -> int:
    code = run.poll(30)
    assert code is not None
    return code


def test_lines_and_outputs() -> None:
    run = shell("cat; echo one >&2; printf 'two\\nthr' >&2", b"given")
    assert ended(run) == 0
    assert run.new_lines() == ["one", "two"]
    assert run.new_lines() == []
    assert (run.output().stdout, run.output().stderr) == (b"given", "one\ntwo\nthr")


def test_a_line_in_two_parts(tmp_path: Path) -> None:
    go = tmp_path / "go"
    os.mkfifo(go)
    run = shell(f"printf 'beg' >&2; read x < {go}; printf 'in\\n' >&2")
    # Opening the fifo waits until the script is there to read it: the first part is written by then.
    with go.open("w") as gate:
        assert run.new_lines() == []
        gate.write("x\n")
    ended(run)
    assert run.new_lines() == ["begin"]


@pytest.mark.parametrize(("how", "code"), [("ask_to_stop", 7), ("kill", -signal.SIGKILL)])
def test_how_it_is_ended(how: str, code: int, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    run = shell(f"trap 'exit 7' INT; touch {ready}; while :; do sleep 0.05; done")
    wait_for(ready.exists)
    getattr(run, how)()
    assert ended(run) == code
    getattr(run, how)()  # once more harms nothing


@pytest.mark.parametrize("how", ["ask_to_stop", "kill"])
def test_a_wrapper_and_the_program_in_it_hear_it(how: str, tmp_path: Path) -> None:
    pid, stopped, program = tmp_path / "pid", tmp_path / "stopped", tmp_path / "program"
    program.write_text(
        f"trap 'touch {stopped}; exit 3' INT\necho $$ > {pid}.part; mv {pid}.part {pid}\n"
        "while :; do sleep 0.05; done\n"
    )
    run = shell(f"sh {program}; exit $?")
    wait_for(pid.exists)
    getattr(run, how)()
    ended(run)
    wait_for(lambda: not is_alive(int(pid.read_text())))
    assert stopped.exists() is (how == "ask_to_stop")


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_what_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(HelmError, match="nothing was changed"):
        LongRun([str(tmp_path / "none")], environ={}, text=None)


def test_it_goes_on_where_its_watcher_is_killed(tmp_path: Path) -> None:
    """It must neither get the signals of the watcher's terminal nor die of a pipe that nobody reads."""
    started, done = tmp_path / "started", tmp_path / "done"
    lines = "for i in 1 2 3 4 5 6 7 8 9; do echo line >&2; sleep 0.05; done"
    script = f"touch {started}; {lines}; touch {done}"
    program = (
        "import os, time; from helmguard.helm.long_run import LongRun;"
        f"run = LongRun(['/bin/sh', '-c', {script!r}], environ=dict(os.environ), text=None);"
        "run.poll(60)"
    )
    watcher = subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
    try:
        wait_for(started.exists)
        os.killpg(watcher.pid, signal.SIGKILL)
        watcher.wait(10)
        wait_for(done.exists)
    finally:
        watcher.kill()


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
