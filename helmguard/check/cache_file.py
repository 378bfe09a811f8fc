"""Files that are kept between runs: whole or not at all, for this user alone."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO


def write_cache_file(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Put what ``write`` writes under this name, whoever else does so at the same time.

    A cache that cannot be written is no cache: then nothing is there, and it is made again next time.
    """
    try:
        # The mode of `mkdir` is the last folder's alone.
        for folder in (path.parent.parent, path.parent):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                write(file)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError:
        return
