"""When memory is searched for garbage: never while somebody types.

A full search of Python's garbage collector takes a third of a second with the plan of 2,000 objects in memory,
and nothing is drawn meanwhile. It finds what refers to itself in a circle: screens that were left. Everything
else is freed at once, without it.
"""

from __future__ import annotations

import gc
import time

_NEVER = 1_000_000_000
_IDLE_SECONDS = 20.0
_LOOK_SECONDS = 5.0


class IdleCollector:
    """`touched` with each key and click; `look` every `look_seconds`; `begin` and `end` around the session."""

    look_seconds = _LOOK_SECONDS

    def __init__(self) -> None:
        self._before: tuple[int, int, int] | None = None
        self._last = 0.0
        self._collected = True

    def begin(self) -> None:
        """Search young objects alone by itself: there are few of them."""
        self._before = gc.get_threshold()
        gc.set_threshold(self._before[0], self._before[1], _NEVER)
        self.touched()

    def end(self) -> None:
        """As it was before."""
        if self._before is not None:
            gc.set_threshold(*self._before)

    def touched(self) -> None:
        """Somebody is there."""
        self._last = time.monotonic()
        self._collected = False

    def look(self) -> None:
        """Search all, once, where nobody has done anything for a while."""
        if not self._collected and time.monotonic() - self._last > _IDLE_SECONDS:
            self._collected = True
            gc.collect()
