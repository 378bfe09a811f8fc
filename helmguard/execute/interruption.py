"""A stop asked for while helm is at work: counted, not thrown, so that nothing is cut off half way."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from helmguard.errors import InterruptedByUserError

_NUMBERS = (signal.SIGINT, signal.SIGTERM)
_LOOK_SECONDS = 0.1


class Interruption:
    """``asked`` is how often the user asked to stop, ``number`` the signal of the first time.

    Any thread may ask. No lock is taken: a signal's handler runs between any two steps of its own thread.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.number: signal.Signals | None = None

    def ask(self, number: signal.Signals = signal.SIGINT) -> None:
        """Ask to stop, as a signal does."""
        self.asked += 1
        self.number = self.number or number

    @property
    def exit_code(self) -> int:
        """130 for Ctrl-C, 143 for SIGTERM."""
        return 128 + (self.number or signal.SIGINT)

    def waiting(self) -> Callable[[float], None]:
        """What waits in place of ``time.sleep`` and raises as soon as the user asks once more from now on."""
        before = self.asked

        def wait(seconds: float) -> None:
            until = time.monotonic() + seconds
            while True:
                if self.asked > before:
                    raise InterruptedByUserError("interrupted")
                rest = until - time.monotonic()
                if rest <= 0:
                    return
                time.sleep(min(rest, _LOOK_SECONDS))

        return wait

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take the signals instead of ending by them; outside the main thread others have to `ask`."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def take(number: int, _: FrameType | None) -> None:
            self.ask(signal.Signals(number))

        before = {number: signal.signal(number, take) for number in _NUMBERS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
