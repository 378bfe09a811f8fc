"""Where built binaries are kept between runs, and how two runs at once stay out of each other's way."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def cache_root() -> Path:
    """`$HELMGUARD_TEST_CACHE`, else `helmguard-tests` in the user's cache folder."""
    chosen = os.environ.get("HELMGUARD_TEST_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "helmguard-tests"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds the lock file `path` against every other process; the kernel frees it if this one dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def say(message: str) -> None:
    """Progress, for a person: standard output is kept for the one path that a caller reads."""
    print(f"cluster: {message}", file=sys.stderr, flush=True)
