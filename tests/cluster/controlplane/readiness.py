"""Waits until a control plane answers."""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from controlplane.errors import ClusterError
from controlplane.processes import Process, is_running

READY_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.05


class ProcessDied(ClusterError):
    """A process of the control plane ended while its start was waited for."""

    def __init__(self, process: Process, log_end: str) -> None:
        super().__init__(f"{process.name} ended while the test cluster was starting:\n{log_end}")
        self.log_end = log_end


def answers(server: str, ca: str, token: str, path: str) -> bool:
    """Whether GET `path` is answered with 200."""
    address = urlsplit(server)
    connection = http.client.HTTPSConnection(
        address.hostname or "", address.port, timeout=5, context=ssl.create_default_context(cafile=ca)
    )
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def wait_until(ready: Callable[[], bool], what: str, processes: list[Process], logs: Path) -> None:
    """Polls `ready`; fails at once, with the end of its log, when one of the processes has ended."""
    deadline = time.monotonic() + READY_SECONDS
    while not ready():
        for process in processes:
            if not is_running(process):
                raise ProcessDied(process, log_end(logs / f"{process.name}.log"))
        if time.monotonic() > deadline:
            raise ClusterError(f"{what} was not ready within {READY_SECONDS:.0f} s: its logs are in {logs}")
        time.sleep(_POLL_SECONDS)


def log_end(log: Path, lines: int = 20) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
