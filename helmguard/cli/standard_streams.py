"""Standard output that may be missing, narrow or go away: none of that is an error of the command."""

from __future__ import annotations

import io
import os
import sys


def prepare_streams() -> None:
    """Stand in for streams the caller closed, and write characters the terminal cannot show as escapes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper) and mode == "w":
            stream.reconfigure(errors="backslashreplace")


def write_stdout(text: str) -> None:
    """Write all of it; a reader that has left (``head``, ``less``) has seen what it wanted to see."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_stdout()


def abandon_stdout() -> None:
    """Send what is still to come nowhere, so that the interpreter's last flush is quiet, too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
