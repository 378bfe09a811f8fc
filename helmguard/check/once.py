"""Making each thing once, however many threads ask for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Once(Generic[Key, Value]):
    """What was made, by key. Thread-safe: who asks while it is being made waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[Key, Future[Value]] = {}

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value, made by the first who asks; what ``make`` raises is raised to everybody."""
        mine: Future[Value] = Future()
        with self._lock:
            found = self._known.setdefault(key, mine)
        if found is mine:
            try:
                mine.set_result(make())
            except BaseException as error:
                # Others wait for it: they must hear of an interruption, too. It is raised below.
                mine.set_exception(error)
        return found.result()
