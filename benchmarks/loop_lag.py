"""How late an event loop wakes up, and what it did meanwhile."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_TICK = 0.005
_SUSPICIOUS = 0.05


@dataclass(slots=True)
class Lag:
    """One late wake-up: seconds late; how many of them the loop's own thread worked (the rest it waited for
    the processor, or for threads that hold the interpreter); the innermost own lines that ran then."""

    seconds: float
    busy: float
    lines: tuple[str, ...]


@dataclass(slots=True)
class LagProbe:
    """Start `watch` in the loop; ``step`` names what is going on."""

    step: str = "start"
    worst: dict[str, Lag] = field(default_factory=dict)
    _beat: float = 0.0
    _seen: tuple[str, ...] = ()
    _thread: int = 0

    async def watch(self) -> None:
        """Until it is cancelled."""
        self._thread = threading.get_ident()
        self._beat = time.perf_counter()
        with self._looking():
            while True:
                due, worked = time.perf_counter() + _TICK, time.thread_time()
                await asyncio.sleep(_TICK)
                self._beat = time.perf_counter()
                late, busy = self._beat - due, time.thread_time() - worked
                known = self.worst.get(self.step)
                if known is None or late > known.seconds:
                    self.worst[self.step] = Lag(late, busy, self._seen)
                self._seen = ()

    @contextmanager
    def _looking(self) -> Iterator[None]:
        """Another thread notes what the loop does while it is late."""
        ended = threading.Event()

        def look() -> None:
            while not ended.wait(_TICK):
                if time.perf_counter() - self._beat > _SUSPICIOUS and not self._seen:
                    frame = sys._current_frames().get(self._thread)
                    self._seen = tuple(
                        f"{each.filename.rpartition('/')[2]}:{each.lineno} {each.name}"
                        for each in traceback.extract_stack(frame)[-60:]
                        if "helmguard" in each.filename or "textual" in each.filename
                    )[-6:]

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
