"""Starts background processes and stops exactly those, by process id and start time."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controlplane.errors import ClusterError

STOP_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.02


@dataclass(frozen=True)
class Process:
    """A started process. `started` tells it from a later process that was given the same id."""

    name: str
    pid: int
    started: str


def start(name: str, command: Sequence[str], log: Path) -> Process:
    """Starts a process that outlives this one; both its outputs go to `log`."""
    with log.open("wb") as output:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=log.parent,
            start_new_session=True,
        )
    # It is meant to outlive the Popen object, which would warn of that: tell it that there is nothing to wait
    # for. `is_running` reaps the process when it has ended and this is still its parent.
    child.returncode = 0
    started, _ = _look_at(child.pid)
    return Process(name, child.pid, started)


def is_running(process: Process) -> bool:
    started, state = _look_at(process.pid)
    if started == "" or started != process.started:
        return False
    if state.startswith("Z"):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process.pid, os.WNOHANG)
        return False
    return True


def stop(process: Process) -> None:
    """Ends the process at once, and returns when it is gone.

    It is killed, not asked: nothing it holds is wanted any more, and asked, an API server takes a second.
    """
    with contextlib.suppress(ProcessLookupError):
        if is_running(process):
            os.kill(process.pid, signal.SIGKILL)
    deadline = time.monotonic() + STOP_SECONDS
    while is_running(process):
        if time.monotonic() > deadline:
            raise ClusterError(f"{process.name} (process {process.pid}) does not end")
        time.sleep(_POLL_SECONDS)


def _look_at(pid: int) -> tuple[str, str]:
    """When a process started, in whatever form the system has it, and its state; "" twice for no process."""
    if Path("/proc/self/stat").exists():
        try:
            # The command's name, in parentheses, may hold anything: count fields after it.
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return "", ""
        return fields[19], fields[0]
    words = ["ps", "-o", "state=,lstart=", "-p", str(pid)]
    listed = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    state, _, started = listed.partition(" ")
    return started.strip(), state
