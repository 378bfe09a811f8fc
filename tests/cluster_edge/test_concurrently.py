"""Reads side by side."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import partial

import pytest

from helmguard.cluster.concurrently import WORKERS, run_concurrently


def test_results_come_in_the_tasks_order() -> None:
    assert run_concurrently([partial(pow, number, 2) for number in range(50)]) == [n * n for n in range(50)]
    assert run_concurrently([]) == []


def test_tasks_run_side_by_side() -> None:
    together = threading.Barrier(WORKERS, timeout=10)
    assert len(run_concurrently([together.wait] * WORKERS)) == WORKERS


def test_the_first_error_drops_what_has_not_started() -> None:
    started: list[int] = []
    release = threading.Event()

    def task(number: int) -> None:
        started.append(number)
        if number == 0:
            raise ValueError("first")
        release.wait(10)

    with pytest.raises(ValueError, match="first"):
        run_concurrently([partial(task, number) for number in range(100)])
    release.set()
    for thread in threading.enumerate():
        if thread.name == "helmguard-read":
            thread.join(10)
    assert len(started) <= 2 * WORKERS


def test_an_interrupt_ends_the_program_at_once() -> None:
    """Also while requests hang, which a pool's threads would be waited for."""
    program = """
import signal, threading
from helmguard.cluster.concurrently import run_concurrently
running = threading.Event()
def hang():
    running.set()
    threading.Event().wait(60)
def interrupt():
    running.wait()
    signal.raise_signal(signal.SIGINT)
run_concurrently([hang, hang, interrupt])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert "KeyboardInterrupt" in done.stderr
