"""A process that has imported helmguard, and for each call makes a copy of itself that runs it.

``ready_helmguard`` starts it with a socket. A copy has its own environment, folder, words and streams, as a
new interpreter has, joins its threads and flushes its streams as one does; but the imports are done,
helmguard's own rule packs are read, and the interpreter is not taken down piece by piece.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

_BESIDE_HELMGUARD = ("asyncio", "deepdiff", "jsonschema", "rich.console", "ssl", "urllib3")
"""What commands import only when they need it. Not kubernetes: it reads KUBECONFIG as it is imported."""


@dataclass(frozen=True)
class Call:
    """``words``, ``environment`` and ``folder``, and the three standard streams."""

    said: dict[str, Any]
    streams: list[int]


def serve(calls: socket.socket) -> Call | None:
    """Answers calls until the other side is gone: None. In a copy it returns at once, with its call."""
    running: dict[int, tuple[int, int]] = {}
    while True:
        for ready in select.select([calls, *running], [], [])[0]:
            if ready is not calls:
                _tell_the_end(ready, *running.pop(ready))
                continue
            message, descriptors, _, _ = socket.recv_fds(calls, 1 << 20, 4)
            if not message:
                return None
            *streams, answer = descriptors
            process = os.fork()
            if process == 0:
                calls.close()
                _close(answer, *running, *(each for _, each in running.values()))
                return Call(json.loads(message), streams)
            _close(*streams)
            running[os.pidfd_open(process)] = (process, answer)


def become(call: Call) -> None:
    """Does what ``python -m helmguard WORDS`` does."""
    for number, stream in enumerate(call.streams):
        os.dup2(stream, number)
    _close(*call.streams)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(call.said["environment"])
    time.tzset()
    os.chdir(call.said["folder"])
    sys.argv[:] = ["helmguard", *call.said["words"]]
    try:
        runpy.run_module("helmguard", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if not isinstance(end.code, int):
            raise
        # As multiprocessing ends its processes; an interpreter does the same three things first.
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(end.code)


def _tell_the_end(handle: int, process: int, answer: int) -> None:
    _, status = os.waitpid(process, 0)
    with contextlib.suppress(BrokenPipeError):
        os.write(answer, str(os.waitstatus_to_exitcode(status)).encode())
    _close(handle, answer)


def _close(*descriptors: int) -> None:
    for each in descriptors:
        os.close(each)


def _make_ready() -> None:
    package = importlib.import_module("helmguard")
    found = pkgutil.walk_packages(package.__path__, "helmguard.", onerror=lambda name: None)
    names = [each.name for each in found if not each.name.startswith(("helmguard.tui", "helmguard.__main__"))]
    for name in (*_BESIDE_HELMGUARD, *names):
        # What cannot be imported is told by the copy that needs it.
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        importlib.import_module("helmguard.cli.main").main(["demo"])


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    del sys.path[0]
    _make_ready()
    gc.collect()
    gc.freeze()
    here = serve(socket.socket(fileno=int(sys.argv[1])))
    if here is not None:
        become(here)
