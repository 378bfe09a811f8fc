"""SIGINT, SIGTERM and SIGHUP while the interface is shown: the terminal is given back, helm not cut off."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Protocol

_STUCK_SECONDS = 3.0
"""A terminal that takes nothing any more (a stalled ssh) holds up the event loop."""


class Told(Protocol):
    """Who is told: the program."""

    def told_to_end(self, number: signal.Signals) -> bool:
        """End; False where helm is at work, and is asked to stop first."""

    def finish_unseen(self, number: signal.Signals) -> None:
        """Wait for the helm that is at work, and have it recorded what came of it. Called in a thread."""

    def give_back_terminal(self) -> None:
        """At once, without the event loop."""


class Signals:
    """This process's handlers, from `listen` to `forget`; outside the main thread there are none."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._before: dict[signal.Signals, Any] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._forgotten = threading.Event()
        self._waits = False

    def listen(self) -> None:
        """From now on."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._loop = asyncio.get_running_loop()
        handlers: dict[str, Callable[[int, FrameType | None], None]] = {
            "SIGINT": self._end,
            "SIGTERM": self._end,
            "SIGHUP": self._hang_up,
        }
        for name, handler in handlers.items():
            number = getattr(signal, name, None)
            if number is not None:
                self._before[number] = signal.signal(number, handler)

    def forget(self) -> None:
        """As it was before."""
        self._forgotten.set()
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()

    def _end(self, number: int, _: FrameType | None) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._told_to_end, signal.Signals(number))
        _start(self._end_if_stuck, number)

    def _told_to_end(self, number: signal.Signals) -> None:
        self._waits = not self._told.told_to_end(number)

    def _end_if_stuck(self, number: int) -> None:
        if not self._forgotten.wait(_STUCK_SECONDS) and not self._waits:
            self._told.give_back_terminal()
            _end_process(number)

    def _hang_up(self, number: int, _: FrameType | None) -> None:
        """The terminal is gone, and to write to it may take for ever: the event loop has no part."""
        _start(self._finish_unseen, number)

    def _finish_unseen(self, number: int) -> None:
        self._told.finish_unseen(signal.Signals(number))
        self._told.give_back_terminal()
        _end_process(number)


def _start(task: Callable[[int], None], number: int) -> None:
    threading.Thread(target=task, args=(number,), daemon=True, name="helmguard-end").start()


def _end_process(number: int) -> None:
    """At once, with the words that the usual end has where helm was run."""
    from helmguard.cli.error_output import stop_programs, untold

    stop_programs()
    with contextlib.suppress(OSError, ValueError):
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, untold().encode())
    os._exit(128 + number)
