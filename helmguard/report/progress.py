"""A sign of life on stderr for what takes longer than a second."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TextIO

from helmguard.report.display_width import split_at
from helmguard.report.escaping import escape_line

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ASCII_FRAMES = "|/-\\"
_ERASE = "\r\x1b[2K"
_FRAME_SECONDS = 0.1


class Progress:
    """Shows the step that is under way, once a second has gone by, and erases it at the end.

    ``stream`` must be a terminal, else nothing is ever written. Use as a context manager; ``step`` may be
    called from any thread.
    """

    def __init__(self, stream: TextIO, *, delay: float = 1.0, width: int = 80) -> None:
        self._stream = stream
        self._delay = delay
        self._width = width
        self._step = ""
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        unicode = (stream.encoding or "ascii").lower().replace("-", "").startswith("utf")
        self._frames = _FRAMES if unicode else _ASCII_FRAMES
        self._ascii_only = not unicode

    def step(self, text: str) -> None:
        """Name what is under way: ``reading 300 objects``."""
        self._step = text

    def __enter__(self) -> Progress:
        if self._stream.isatty():
            self._thread = threading.Thread(target=self._run, name="progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        if self._stop.wait(self._delay):
            return
        turn = 0
        while not self._stop.is_set():
            text, _ = split_at(
                escape_line(self._step, ascii_only=self._ascii_only) or "working", self._width - 3
            )
            self._write(f"{_ERASE}{self._frames[turn % len(self._frames)]} {text}")
            turn += 1
            self._stop.wait(_FRAME_SECONDS)
        self._write(_ERASE)

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._stop.set()  # the terminal is gone; the work goes on
