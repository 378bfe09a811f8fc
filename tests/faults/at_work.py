"""Programs that run while the test does something to them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from controlplane.helm import Helm
from helmguard_program import Ended, Helmguard

_SECONDS = 60.0

# A shell gives what it starts in the background SIGINT ignored; this undoes it.
_PROGRAM = (
    "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "runpy.run_module('helmguard', run_name='__main__', alter_sys=True)"
)


class AtWork:
    """A started program. `end` waits for it; leaving the ``with`` block kills it and what it has started."""

    def __init__(
        self, command: Sequence[str], environ: dict[str, str], folder: Path, stdin: str = ""
    ) -> None:
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
        self._stdin = stdin

    def __enter__(self) -> AtWork:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            helms = list(self.helms())
            self._process.kill()
            self._process.communicate()
            for pid in helms:
                _signal(pid, signal.SIGKILL)

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, number: signal.Signals) -> None:
        """To the program itself."""
        self._process.send_signal(number)

    def press_ctrl_c(self) -> None:
        """To the program and to all that it has started, as a terminal does."""
        for pid in [self.pid, *self.helms()]:
            _signal(pid, signal.SIGINT)

    def kill_helm(self) -> None:
        """Kill the helm that it runs, which must be one, and wait until that is gone."""
        (pid,) = self.helms()
        _signal(pid, signal.SIGKILL)

    def helms(self) -> Iterator[int]:
        """The processes it has started, and theirs."""
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
        parents = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
        found = {self.pid}
        for pid, parent in sorted(parents):
            if parent in found:
                found.add(pid)
                yield pid

    def end(self) -> Ended:
        """How it ended, once it has."""
        out, errors = self._process.communicate(self._stdin, timeout=_SECONDS)
        return Ended(self._words, self._process.returncode, out, errors)


def helm_at_work(helm: Helm, *words: str | Path) -> AtWork:
    """``helm WORDS``, started."""
    return AtWork([str(helm.binary), *map(str, words)], helm.environment(), helm.home)


def helmguard_at_work(program: Helmguard, *words: str | Path, stdin: str = "") -> AtWork:
    """``helmguard WORDS``, started; ``stdin`` is given to it when its end is waited for."""
    command = [sys.executable, "-c", _PROGRAM, *map(str, words)]
    return AtWork(command, program.environment(), program.home, stdin)


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
