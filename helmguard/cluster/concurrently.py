"""Running reads side by side, so that Ctrl-C ends them at once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

WORKERS = 8
"""Threads, and connections of the pool: twice four brings a fifth more, above that nothing (measured)."""


def run_concurrently(tasks: Sequence[Callable[[], T]], workers: int = WORKERS) -> list[T]:
    """Run all tasks and give their results in the tasks' order.

    The first error ends the run: tasks not yet started are dropped, and it is raised here. The threads are
    daemons, since a pool's threads are joined at exit: after Ctrl-C the program would hang until the slowest
    request ends.
    """
    if len(tasks) <= 1:
        return [task() for task in tasks]
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for index in range(len(tasks)):
        waiting.put(index)
    done: queue.SimpleQueue[tuple[int, T | None, BaseException | None]] = queue.SimpleQueue()
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            try:
                index = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((index, tasks[index](), None))
            except BaseException as error:
                done.put((index, None, error))

    for _ in range(min(workers, len(tasks))):
        threading.Thread(target=work, daemon=True, name="helmguard-read").start()
    results: dict[int, T] = {}
    try:
        while len(results) < len(tasks):
            index, result, error = done.get()
            if error is not None:
                raise error
            results[index] = result  # type: ignore[assignment]
    finally:
        stop.set()
    return [results[index] for index in range(len(tasks))]
