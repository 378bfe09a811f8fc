"""A tiny HTTP server on 127.0.0.1 for answers that a healthy API server never gives."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.kube_options import KubeOptions


@dataclass
class Answer:
    """Body (JSON, or bytes as they are), status and headers; ``hang`` waits that long before it answers."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang: threading.Event | None = None


class LocalApi:
    """Answers each request with ``answers(path with query)`` and keeps what was asked in ``requests``."""

    def __init__(self, answers: Callable[[str], Answer]) -> None:
        self.requests: list[tuple[str, dict[str, str]]] = []
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                api.requests.append((self.path, dict(self.headers)))
                answer = answers(self.path)
                if answer.hang is not None:
                    answer.hang.wait(10)
                body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
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
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def connection(self, **options: Any) -> Connection:
        return connect(KubeOptions(kube_apiserver=self.url, **options), {"HOME": "/nonexistent"})

    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def status(code: int, reason: str, message: str = "", **details: Any) -> Answer:
    """The API's ``Status`` object."""
    body = {"kind": "Status", "code": code, "reason": reason, "message": message, "details": details}
    return Answer(body, code)
