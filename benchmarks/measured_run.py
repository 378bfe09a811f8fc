"""Runs a command and says how long it took and how much memory it held at its peak."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

_REPORTING_MAIN = """
import os, resource, sys
from helmguard.cli.main import main
code = main(sys.argv[1:])
sys.stdout.flush()
peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
os.write(int(os.environ["PEAK_FD"]), ("%d %d" % tuple(peaks)).encode())
sys.exit(code)
"""


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run: wall and processor time in seconds (with the command's own children), exit code."""

    wall: float
    cpu: float
    exit_code: int


@dataclass(frozen=True, slots=True)
class Peak:
    """Resident memory in MiB: of helmguard's own process, and of the largest process it started (helm)."""

    own: float
    children: float


def run(command: Sequence[str], good_exit_codes: Sequence[int] = (0,)) -> Run:
    """Run the command; its output is read and dropped.

    Raises:
        RuntimeError: it ends with another exit code; the message holds the end of its output.
    """
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in good_exit_codes:
        tail = output.decode(errors="replace")[-2000:]
        raise RuntimeError(f"exit code {process.returncode} of {' '.join(command)}:\n{tail}")
    return Run(wall, usage.ru_utime + usage.ru_stime, process.returncode)


def peak_of_helmguard(words: Sequence[str]) -> Peak:
    """Run helmguard once more, for its memory.

    The process tells its own peak, since the system's account of a finished process mixes in its children.
    """
    read_end, write_end = os.pipe()
    subprocess.run(
        [sys.executable, "-c", _REPORTING_MAIN, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PEAK_FD": str(write_end)},
        pass_fds=(write_end,),
        check=False,
    )
    os.close(write_end)
    with os.fdopen(read_end) as answer:
        own, children = (int(number) / 1024 for number in answer.read().split())
    return Peak(own, children)
