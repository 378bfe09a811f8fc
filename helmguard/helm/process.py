"""One run of a program: no shell, no inherited stdin, never left behind."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence

import msgspec

from helmguard.errors import HelmError, HelmLimitError, InterruptedByUserError

GRACE = 3.0
"""Seconds between asking a program to end and killing it."""

_running: set[Process] = set()
_running_lock = threading.Lock()


class ProcessOutput(msgspec.Struct, frozen=True):
    """What a program wrote and how it ended; ``stderr`` is text, bytes that are no UTF-8 replaced."""

    words: tuple[str, ...]
    exit_code: int
    stdout: bytes
    stderr: str


class Process:
    """A started program. `finish` waits for it; `stop` ends it from any thread."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        environ: Mapping[str, str] | None = None,
        has_input: bool = False,
        memory: int | None = None,
    ) -> None:
        """``memory``: bytes that it may have, where the system can say so (Linux)."""
        self.words = tuple(words)
        self.stopped = False
        try:
            # Under the lock, so that `stop_running` misses none that is just being started.
            with _running_lock:
                self._popen = subprocess.Popen(
                    list(words),
                    stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=None if environ is None else dict(environ),
                )
                _running.add(self)
            if memory is not None:
                _limit_memory(self._popen.pid, memory)
        except OSError as error:
            raise HelmError(f"{words[0]} cannot be run: {error.strerror or error}") from None

    def finish(self, text: bytes | None = None, timeout: float | None = None) -> ProcessOutput:
        """Feed ``text``, wait for the end, and give what was written.

        Raises:
            InterruptedByUserError: `stop` was called meanwhile.
            HelmLimitError: it ran longer than ``timeout`` seconds.
        """
        try:
            stdout, stderr = self._popen.communicate(text, timeout=timeout)
        except subprocess.TimeoutExpired:
            self.stop()
            name = f"{self.words[0]} {self.words[1]}" if len(self.words) > 1 else self.words[0]
            raise HelmLimitError(
                f"{name} did not end within {timeout:g} seconds and was stopped",
                remedy="Check that the cluster and the chart repository answer.",
            ) from None
        except BaseException:
            self.stop()
            raise
        finally:
            with _running_lock:
                _running.discard(self)
        if self.stopped:
            raise InterruptedByUserError("interrupted; nothing was changed")
        return ProcessOutput(self.words, self._popen.returncode, stdout, stderr.decode(errors="replace"))

    def stop(self) -> None:
        """Ask it to end, and kill it where it does not within `GRACE` seconds."""
        self.stopped = True
        if self._popen.poll() is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._popen.terminate()
        try:
            self._popen.wait(GRACE)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                self._popen.kill()
            self._popen.wait()


def _limit_memory(pid: int, memory: int) -> None:
    if sys.platform == "linux":
        import resource

        # It may have ended by now.
        with contextlib.suppress(OSError):
            resource.prlimit(pid, resource.RLIMIT_DATA, (memory, memory))


def stop_running() -> None:
    """End every program that other threads still wait for: their `finish` raises InterruptedByUserError."""
    with _running_lock:
        running = list(_running)
    for process in running:
        process.stop()
