"""A server between helmguard and the real API server: it keeps what was asked, and may answer itself."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import urllib3
from controlplane.client import ControlPlane

from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.kube_options import KubeOptions


@dataclass
class Answer:
    """What is answered in the API server's place; ``hang`` waits that long before."""

    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    hang: threading.Event | None = None


Instead = Callable[[str, str], Answer | None]
"""Gets the path with its query and the Accept header."""


@dataclass(frozen=True)
class Asked:
    """One request and the body of its answer."""

    path: str
    accept: str
    answer: bytes


class RecordingApi:
    """``instead`` gives an answer of its own, or None to ask the real server.

    ``arrived`` are the requests, ``asked`` those that were answered.
    """

    def __init__(self, cluster: ControlPlane, instead: Instead) -> None:
        self.arrived: list[str] = []
        self.asked: list[Asked] = []
        self._cluster = cluster
        self._pool = urllib3.PoolManager(maxsize=8, ca_certs=str(cluster.ca), retries=False)
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                accept = self.headers["Accept"]
                api.arrived.append(self.path)
                answer = instead(self.path, accept)
                if answer is not None and answer.hang is not None:
                    answer.hang.wait(10)
                status, body, headers = api._forwarded(self.path, accept) if answer is None else _own(answer)
                api.asked.append(Asked(self.path, accept, body))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """A client that went away is what some tests are about."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def connection(self, **options: Any) -> Connection:
        """helmguard's connection to this server."""
        url = f"http://127.0.0.1:{self._server.server_address[1]}"
        return connect(KubeOptions(kube_apiserver=url, **options), {"HOME": "/nonexistent"})

    def paths(self) -> list[str]:
        """What was asked for, without queries."""
        return [asked.path.partition("?")[0] for asked in self.asked]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _forwarded(self, path: str, accept: str) -> tuple[int, bytes, dict[str, str]]:
        headers = {"Authorization": f"Bearer {self._cluster.token}", "Accept": accept}
        response = self._pool.request("GET", self._cluster.server + path, headers=headers)
        return response.status, response.data, {"Content-Type": response.headers["Content-Type"]}


def _own(answer: Answer) -> tuple[int, bytes, dict[str, str]]:
    return answer.status, json.dumps(answer.body).encode(), answer.headers


def refusal(code: int, reason: str, message: str) -> Answer:
    """The API's ``Status`` object."""
    return Answer(code, {"kind": "Status", "code": code, "reason": reason, "message": message, "details": {}})
