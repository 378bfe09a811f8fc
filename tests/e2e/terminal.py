"""helmguard on a terminal of its own, with somebody who reads what it asks and types an answer."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helmguard_program import Helmguard

CTRL_C = "\x03"

_SECONDS = 60.0
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    """What a started program has shown so far is ``shown``: all that came, without colours."""

    def __init__(self, pid: int, descriptor: int) -> None:
        self.pid = pid
        self._descriptor = descriptor
        self._bytes = b""
        self.ended = False

    @property
    def shown(self) -> str:
        return _CONTROL.sub("", self._bytes.decode(errors="replace"))

    def await_text(self, text: str) -> None:
        """Until the program has shown this."""
        until = time.monotonic() + _SECONDS
        while text not in self.shown:
            assert self._read(until), f"never shown: {text!r}; but:\n{self.shown}"

    def type(self, text: str) -> None:
        """Keys; a control character does what the terminal does at it."""
        os.write(self._descriptor, text.encode())

    @property
    def raw(self) -> bytes:
        """All that came, as it came."""
        return self._bytes

    @property
    def settings(self) -> list[Any]:
        """Of the terminal itself: echo, line by line, which keys are signals."""
        return termios.tcgetattr(self._descriptor)

    def resize(self, columns: int, lines: int) -> None:
        """As the user does with the window."""
        termios.tcsetwinsize(self._descriptor, (lines, columns))

    def code(self, seconds: float = _SECONDS) -> int:
        """The exit code, once it has ended."""
        until = time.monotonic() + seconds
        while self._read(until):
            pass
        _, status = os.waitpid(self.pid, 0)
        self.ended = True
        return os.waitstatus_to_exitcode(status)

    def _read(self, until: float) -> bool:
        """Whether something more came."""
        ready, _, _ = select.select([self._descriptor], [], [], max(until - time.monotonic(), 0.0))
        if not ready:
            raise TimeoutError(f"nothing more for a long time after:\n{self.shown}")
        try:
            more = os.read(self._descriptor, 65536)
        except OSError:  # how Linux tells that nobody has the other side open
            return False
        self._bytes += more
        return bool(more)


@contextmanager
def on_terminal(
    program: Helmguard, *words: str | Path, start: tuple[str, ...] = ("-m", "helmguard")
) -> Iterator[Terminal]:
    """``helmguard WORDS``, started; killed at the end of the block if it still runs.

    ``start`` are Python's own words, in place of ``-m helmguard``.
    """
    command = [sys.executable, *start, *map(str, words)]
    environment = program.environment({"TERM": "xterm", "COLUMNS": "100"})
    pid, descriptor = pty.fork()
    if pid == 0:
        os.chdir(program.home)
        # pytest's own process may have it ignored.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execve(command[0], command, environment)
    terminal = Terminal(pid, descriptor)
    try:
        yield terminal
    finally:
        if not terminal.ended:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(descriptor)
