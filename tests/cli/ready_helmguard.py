"""Runs helmguard in copies of two processes that have imported it: most of a run's CPU time was its start."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_PROGRAM = Path(__file__).with_name("ready_process.py")


def can_be_ready(environment: Mapping[str, str]) -> bool:
    """Whether a copy is as good as a new interpreter: not for what an interpreter reads as it starts."""
    at_start = [name for name in environment if name.startswith("PYTHON") and name != "PYTHONPATH"]
    return hasattr(os, "pidfd_open") and not at_start


class ReadyProcess:
    """One process that makes the copies; it ends when this process does."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._calls, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, str(_PROGRAM), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        atexit.register(self._end)

    def run(
        self, words: Sequence[str], environment: Mapping[str, str], folder: Path, stdin: str
    ) -> subprocess.CompletedProcess[str]:
        """As ``subprocess.run`` with text and captured output."""
        message = json.dumps({"words": words, "environment": dict(environment), "folder": str(folder)})
        taken, given = os.pipe()
        (out, their_out), (err, their_err), (end, their_end) = os.pipe(), os.pipe(), os.pipe()
        theirs = [taken, their_out, their_err, their_end]
        try:
            socket.send_fds(self._calls, [message.encode()], theirs)
        finally:
            for each in theirs:
                os.close(each)
        with ThreadPoolExecutor(3) as threads:
            threads.submit(_write, given, stdin)
            errors, code = threads.submit(_read, err), threads.submit(_read, end)
            printed, told, ended = _read(out), errors.result(), code.result()
        assert ended, f"the process that makes helmguard's copies is gone: {told}"
        return subprocess.CompletedProcess(list(words), int(ended), printed, told)

    def _end(self) -> None:
        self._calls.close()
        self._process.communicate()


def run_ready(
    words: Sequence[str], environment: Mapping[str, str], folder: Path, stdin: str
) -> subprocess.CompletedProcess[str]:
    """``helmguard WORDS`` in a copy.

    Two processes take turns, since each has its own order of sets: what two runs print alike does not
    depend on it.
    """
    with _LOCK:
        turn = next(_TURNS)
        if turn == len(_PROCESSES):
            _PROCESSES.append(ReadyProcess(environment))
    return _PROCESSES[turn].run(words, environment, folder, stdin)


_LOCK = threading.Lock()
_TURNS = itertools.cycle([0, 1])
_PROCESSES: list[ReadyProcess] = []


def _write(descriptor: int, text: str) -> None:
    with contextlib.suppress(BrokenPipeError), open(descriptor, "w") as stream:
        stream.write(text)


def _read(descriptor: int) -> str:
    with open(descriptor) as stream:
        return stream.read()
