"""Folders for one run of helm, which may hold values: readable by this user alone, and never left behind."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_open: set[Path] = set()
_open_lock = threading.Lock()


@contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """A folder that is there until the block ends, or the program (see `remove_left_folders`)."""
    with _open_lock:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
        _open.add(folder)
    try:
        yield folder
    finally:
        _remove(folder)


def remove_left_folders() -> None:
    """Remove the folders of blocks that other threads are still in: after Ctrl-C nobody waits for them."""
    with _open_lock:
        folders = list(_open)
    for folder in folders:
        _remove(folder)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    with _open_lock:
        _open.discard(folder)
