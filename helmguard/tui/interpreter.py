"""How Python itself must behave while somebody types: the keyboard goes first.

A full search of the garbage collector takes a third of a second with the plan of 2,000 objects in memory,
and nothing is drawn meanwhile. It finds what refers to itself in a circle: screens that were left. All else
is freed at once, without it. And a thread that reads or plans keeps the interpreter for five milliseconds at
a time, of which one key press may need many.
"""

from __future__ import annotations

import gc
import sys
import time

_NEVER = 1_000_000_000
_IDLE_SECONDS = 20.0
_SWITCH_SECONDS = 0.0005


class QuickInterpreter:
    """`begin` and `end` around the session, `touched` with each key and click, `look` now and then."""

    look_seconds = 5.0

    def __init__(self) -> None:
        self._before: tuple[int, int, int] | None = None
        self._switch_before = 0.0
        self._last = 0.0
        self._collected = True

    def begin(self) -> None:
        """Search young objects alone by itself, of which there are few; let threads take turns sooner."""
        self._before = gc.get_threshold()
        self._switch_before = sys.getswitchinterval()
        gc.set_threshold(self._before[0], self._before[1], _NEVER)
        sys.setswitchinterval(_SWITCH_SECONDS)
        self.touched()

    def end(self) -> None:
        """As it was before."""
        if self._before is not None:
            gc.set_threshold(*self._before)
            sys.setswitchinterval(self._switch_before)

    def touched(self) -> None:
        """Somebody is there."""
        self._last = time.monotonic()
        self._collected = False

    def look(self) -> None:
        """Search all, once, where nobody has done anything for a while."""
        if not self._collected and time.monotonic() - self._last > _IDLE_SECONDS:
            self._collected = True
            gc.collect()
