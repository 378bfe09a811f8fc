"""The one part of a kubelet that reading logs needs: the API server asks it for a log by HTTPS."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit


class KubeletLogs:
    """``logs`` are by pod's name, and may be changed while it runs; ``asked`` are the queries that came."""

    def __init__(self, logs: Mapping[str, str]) -> None:
        self.logs = dict(logs)
        self.asked: list[dict[str, str]] = []
        self.port = 0

    def status(self, node: str) -> dict[str, Any]:
        """What a Node's status must say for the API server to find this."""
        return {
            "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": self.port}},
        }


@contextmanager
def kubelet_logs(certificates: Path, logs: Mapping[str, str] | None = None) -> Iterator[KubeletLogs]:
    """Serves logs with the API server's own certificate, which it does not check."""
    kubelet = KubeletLogs(logs or {})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            words = parts.path.strip("/").split("/")
            kubelet.asked.append({key: values[0] for key, values in parse_qs(parts.query).items()})
            log = kubelet.logs.get(words[2]) if words[0] == "containerLogs" and len(words) == 4 else None
            body = (log if log is not None else "the container is not there").encode()
            self.send_response(200 if log is not None else 404)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing on the test's stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "server.crt", certificates / "server.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    kubelet.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield kubelet
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
