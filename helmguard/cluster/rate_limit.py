"""Helm's ``--qps`` and ``--burst-limit``."""

from __future__ import annotations

import threading
import time


class RateLimit:
    """A token bucket: ``burst`` requests at once, then ``qps`` a second."""

    def __init__(self, qps: float, burst: int) -> None:
        self._interval = 1.0 / qps
        self._allowance = self._interval * max(burst, 1)
        self._next = time.monotonic() - self._allowance
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Block until the next request may go out."""
        with self._lock:
            now = time.monotonic()
            self._next = max(self._next, now - self._allowance) + self._interval
            delay = self._next - now
        if delay > 0:
            time.sleep(delay)
