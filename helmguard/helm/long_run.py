"""A helm that changes a cluster: watched while it runs, asked to stop only by the user, never cut off.

It has a session of its own, so that Ctrl-C in a terminal reaches helmguard alone, and writes to memory that
it holds itself: where helmguard is killed, helm goes on to its end instead of dying of a broken pipe.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import IO

from helmguard.errors import HelmError
from helmguard.helm.process import ProcessOutput

_CHUNK = 1 << 16


class LongRun:
    """A started helm. `poll` and `new_lines` are asked in turn until it has ended."""

    def __init__(self, words: Sequence[str], *, environ: Mapping[str, str], text: bytes | None) -> None:
        """``text`` goes to its stdin.

        Raises:
            HelmError: it cannot be started.
        """
        self.words = tuple(words)
        self._stdin, self._stdout, self._stderr = (_memory(name) for name in ("stdin", "stdout", "stderr"))
        self._stdin.write(text or b"")
        self._stdin.seek(0)
        self._read = 0
        self._unfinished = b""
        try:
            self._popen = subprocess.Popen(
                list(words),
                stdin=self._stdin,
                stdout=self._stdout,
                stderr=self._stderr,
                env=dict(environ),
                start_new_session=True,
            )
        except OSError as error:
            raise HelmError(
                f"{words[0]} cannot be run: {error.strerror or error}; nothing was changed"
            ) from None

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._popen.pid

    def poll(self, seconds: float) -> int | None:
        """Wait up to ``seconds``; the exit code (minus the signal's number where one ended it), else None."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._popen.wait(seconds)
        return None

    def new_lines(self) -> list[str]:
        """The whole lines that it wrote to stderr since the last call."""
        written = _content(self._stderr, self._read)
        self._read += len(written)
        *lines, self._unfinished = (self._unfinished + written).split(b"\n")
        return [line.decode(errors="replace") for line in lines]

    def ask_to_stop(self) -> None:
        """SIGINT: an upgrade or install marks its release as failed and ends, a rollback dies where it is."""
        self._signal(signal.SIGINT)

    def kill(self) -> None:
        """SIGKILL: it ends where it is."""
        self._signal(signal.SIGKILL)

    def output(self) -> ProcessOutput:
        """All that it wrote, once it has ended."""
        stderr = _content(self._stderr, 0).decode(errors="replace")
        return ProcessOutput(self.words, self._popen.wait(), _content(self._stdout, 0), stderr)

    def _signal(self, number: signal.Signals) -> None:
        """To the whole session: where helm is a wrapper, the real one must hear it, too."""
        if self._popen.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, number)


def _memory(name: str) -> IO[bytes]:
    """A file without a name: release records, which hold secrets, never reach a disk where that can be."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create(f"helm-{name}"), "w+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)


def _content(file: IO[bytes], start: int) -> bytes:
    """From ``start`` on, whatever helm's own position in the file is."""
    parts = []
    while part := os.pread(file.fileno(), _CHUNK, start):
        parts.append(part)
        start += len(part)
    return b"".join(parts)
