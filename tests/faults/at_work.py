"""Programs that run while the test does something to them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from controlplane.helm import Helm
from helmguard_program import Ended, Helmguard

_SECONDS = 60.0

# A shell gives what it starts in the background SIGINT ignored; this undoes it.
_PROGRAM = (
    "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "runpy.run_module('helmguard', run_name='__main__', alter_sys=True)"
)


class _Heard:
    """What comes out of one of its streams, as it comes."""

    def __init__(self, stream: IO[str]) -> None:
        self.text = ""
        self._stream = stream
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def whole(self) -> str:
        """All of it, once it has ended."""
        self._thread.join()
        return self.text

    def _listen(self) -> None:
        # What is written without an end of the line, such as a question, is wanted too.
        while part := os.read(self._stream.fileno(), 1 << 16):
            self.text += part.decode(errors="replace")


class AtWork:
    """A started program. `end` waits for it; leaving the ``with`` block kills it and what it has started."""

    def __init__(self, command: Sequence[str], environ: dict[str, str], folder: Path) -> None:
        self._words = tuple(command)
        self._process = subprocess.Popen(
            command,
            env=environ,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin = self._process.stdin
        self._out = _Heard(self._process.stdout)
        self._err = _Heard(self._process.stderr)

    def __enter__(self) -> AtWork:
        return self

    def __exit__(self, *_: object) -> None:
        started = list(self.started())
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for pid in started:
            _signal(pid, signal.SIGKILL)

    def await_words(self, text: str) -> None:
        """Until it has said that on stderr."""
        deadline = time.monotonic() + _SECONDS
        while text not in self._err.text:
            assert self._process.poll() is None, f"it ended\n{self._out.text}{self._err.text}"
            assert time.monotonic() < deadline, f"it does not say {text!r}\n{self._err.text}"
            time.sleep(0.01)

    def answer(self, text: str) -> None:
        """Type a line."""
        self._stdin.write(f"{text}\n")
        self._stdin.flush()

    def send(self, number: signal.Signals) -> None:
        """A signal to the program alone."""
        self._process.send_signal(number)

    def kill_helm(self) -> None:
        """Kill the helm that it runs."""
        _signal(self.helm(), signal.SIGKILL)

    def helm(self) -> int:
        """The process id of the one program that it runs."""
        (pid,) = self.started()
        return pid

    def started(self) -> Iterator[int]:
        """The processes that it has started and that have not ended."""
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True)
        for line in listed.stdout.splitlines():
            pid, parent, state = line.split(maxsplit=2)
            if int(parent) == self._process.pid and not state.startswith("Z"):
                yield int(pid)

    def end(self) -> Ended:
        """How it ended, once it has."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        self._process.wait(_SECONDS)
        return Ended(self._words, self._process.returncode, self._out.whole(), self._err.whole())


def await_end(pid: int) -> None:
    """Until a process that is not this one's child has ended."""
    deadline = time.monotonic() + _SECONDS
    words = ["ps", "-o", "stat=", "-p", str(pid)]
    while subprocess.run(words, capture_output=True, text=True).stdout.strip()[:1] not in ("", "Z"):
        assert time.monotonic() < deadline, f"process {pid} does not end"
        time.sleep(0.02)


def helm_at_work(helm: Helm, *words: str | Path) -> AtWork:
    """``helm WORDS``, started."""
    return AtWork([str(helm.binary), *map(str, words)], helm.environment(), helm.home)


def helmguard_at_work(program: Helmguard, *words: str | Path) -> AtWork:
    """``helmguard WORDS``, started."""
    return AtWork([sys.executable, "-c", _PROGRAM, *map(str, words)], program.environment(), program.home)


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
