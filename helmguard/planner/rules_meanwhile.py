"""Reading the rules while helm and the API server are at work: they take long to read and are needed last."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helmguard.rules.engine.rule import Pack


@contextlib.contextmanager
def read_meanwhile(packs: tuple[Pack, ...]) -> Iterator[None]:
    """Reads the built-in rules, and makes them ready with those of ``packs``, beside what the block does."""
    reading = threading.Thread(target=_read, args=(packs,), name="helmguard-rules")
    reading.start()
    try:
        yield
    finally:
        # Not left to run: Python must not end in the middle of loading a library.
        reading.join()


def _read(packs: tuple[Pack, ...]) -> None:
    # Whoever needs the rules asks for them again, and meets the same error there.
    with contextlib.suppress(Exception):
        import helmguard.planner.judge_online  # noqa: F401 - the import is a part of the work
        from helmguard.rules.packs import judge_of

        judge_of(packs)
