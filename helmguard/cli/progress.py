"""The progress display of a command: on stderr, only on a terminal, only when it takes long."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Gives the function that names what is under way."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from helmguard.report.progress import Progress

    with Progress(sys.stderr, width=shutil.get_terminal_size((80, 24)).columns) as display:
        yield display.step
