"""A server between the programs and the real API server, with faults where a test wants them."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from controlplane.access import certificates_in
from controlplane.client import ControlPlane
from faults import Answer, Fault, Hold
from requests_seen import Asked, Matches

_HOP_BY_HOP = {"connection", "transfer-encoding", "host", "keep-alive"}
_UPSTREAM_SECONDS = 120.0
_CHUNK = 1 << 16


class FaultyApi:
    """Speaks HTTPS with the control plane's own certificate, and passes each request on as it is.

    Bearer tokens go through; client certificates do not.
    """

    def __init__(self, cluster: ControlPlane) -> None:
        self.asked: list[Asked] = []
        self.cluster = cluster
        self._faults: list[Fault] = []
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        certificates = certificates_in(cluster.folder / "certificates")
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(certificates.server, certificates.server_key)
        self._upstream_tls = ssl.create_default_context(cafile=str(cluster.ca))
        self._server = self._listen(0)
        self.port: int = self._server.server_address[1]

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def write_kubeconfig(self, place: Path, cluster: ControlPlane | None = None) -> Path:
        """The user's kubeconfig (the administrator's, if none is given), with this server in it."""
        user = cluster or self.cluster
        place.touch(mode=0o600)
        place.write_text(user.kubeconfig.read_text().replace(user.server, self.url))
        return place

    def answer(self, matches: Matches, answer: Answer, *, skip: int = 0, times: int | None = None) -> None:
        """From the request after ``skip`` on, answer ``times`` of those that match in the server's place."""
        self._faults.append(Fault(matches, answer=answer, skip=skip, times=times))

    def lose(
        self, matches: Matches, *, handled: bool = False, skip: int = 0, times: int | None = None
    ) -> None:
        """End the connection instead of answering; with ``handled`` the server has done what was asked."""
        self._faults.append(Fault(matches, close=True, handled=handled, skip=skip, times=times))

    def hold(self, matches: Matches, *, handled: bool = False, skip: int = 0) -> Hold:
        """Keep what matches, before the server gets it or before the program gets the answer."""
        hold = Hold()
        self._faults.append(Fault(matches, hold=hold, handled=handled, skip=skip))
        return hold

    def heal(self) -> None:
        """No faults any more."""
        for hold in self._holds():
            hold.release()
        self._faults = []

    def stop(self) -> None:
        """Be gone: connections end, new ones are refused."""
        self._server.shutdown()
        self._server.server_close()
        # What is held now is lost with its connection.
        for hold in self._holds():
            hold.lose()
        with self._lock:
            still_open = list(self._open)
        for each in still_open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def start(self) -> None:
        """Be back, at the same address."""
        self._server = self._listen(self.port)

    def close(self) -> None:
        """For the end of a test."""
        self.heal()
        self.stop()

    def paths(self, matches: Matches) -> list[str]:
        """What was asked and matches: method and path."""
        return [f"{asked.method} {asked.path}" for asked in self.asked if matches(asked)]

    def await_requests(self, matches: Matches, count: int, seconds: float = 30.0) -> None:
        """Until so many that match have come."""
        deadline = time.monotonic() + seconds
        while len(self.paths(matches)) < count:
            assert time.monotonic() < deadline, f"not {count} such requests came within {seconds:.0f} s"
            time.sleep(0.01)

    def fault_for(self, asked: Asked) -> Fault | None:
        """For the server: the first fault that takes this request."""
        self.asked.append(asked)
        return next((fault for fault in list(self._faults) if fault.takes(asked)), None)

    def _holds(self) -> list[Hold]:
        return [fault.hold for fault in self._faults if fault.hold is not None]

    def _listen(self, port: int) -> ThreadingHTTPServer:
        api = self

        class Handler(_Handler):
            faulty = api

        server = _Server(("127.0.0.1", port), Handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return server

    def take_in(self, connection: socket.socket) -> ssl.SSLSocket:
        """For the server: a new connection; the handshake comes with the first reading, in its own thread."""
        wrapped = self._tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        with self._lock:
            self._open.add(wrapped)
        return wrapped

    def let_out(self, connection: socket.socket) -> None:
        """For the server: it has ended."""
        with self._lock:
            self._open.discard(connection)

    def upstream(self) -> http.client.HTTPSConnection:
        """For the server: a connection to the real API server."""
        address = urlsplit(self.cluster.server)
        return http.client.HTTPSConnection(
            address.hostname or "", address.port, timeout=_UPSTREAM_SECONDS, context=self._upstream_tls
        )


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Helm opens many connections at once.
    request_queue_size = 64

    def handle_error(self, *_: object) -> None:
        """Programs that went away in the middle are what the tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    faulty: FaultyApi
    _upstream: http.client.HTTPSConnection | None = None

    def setup(self) -> None:
        self.request = self.faulty.take_in(self.request)
        super().setup()

    def finish(self) -> None:
        self.faulty.let_out(self.request)
        if self._upstream is not None:
            self._upstream.close()
        super().finish()
        # The server closes what it gave, which was wrapped.
        self.request.close()

    def log_message(self, *_: object) -> None:
        """Tests look at `FaultyApi.asked`."""

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
        asked = Asked(self.command, self.path, self.headers.get("User-Agent", ""))
        fault = self.faulty.fault_for(asked)
        if fault is None:
            self._pass_on(self._ask(body))
            return
        response = self._ask(body) if fault.handled else None
        lost = fault.hold is not None and not fault.hold.keep()
        if lost or fault.close:
            self.close_connection = True
            with contextlib.suppress(OSError):
                self.request.shutdown(socket.SHUT_RDWR)
        elif fault.answer is not None:
            self._give(fault.answer.code, _JSON | fault.answer.headers, fault.answer.body)
        else:
            self._pass_on(response or self._ask(body))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def _ask(self, body: bytes | None) -> http.client.HTTPResponse:
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _HOP_BY_HOP}
        if self._upstream is None:
            self._upstream = self.faulty.upstream()
        self._upstream.request(self.command, self.path, body, headers)
        return self._upstream.getresponse()

    def _pass_on(self, response: http.client.HTTPResponse) -> None:
        headers = {name: value for name, value in response.getheaders() if name.lower() not in _HOP_BY_HOP}
        if response.length is not None:
            self._give(response.status, headers, response.read())
            return
        self._begin(response.status, {**headers, "Transfer-Encoding": "chunked"}.items())
        while part := response.read1(_CHUNK):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        self.wfile.write(b"0\r\n\r\n")

    def _give(self, code: int, headers: dict[str, str], body: bytes) -> None:
        kept = {name: value for name, value in headers.items() if name.lower() != "content-length"}
        self._begin(code, {**kept, "Content-Length": str(len(body))}.items())
        if self.command != "HEAD":
            self.wfile.write(body)

    def _begin(self, code: int, headers: Iterable[tuple[str, str]]) -> None:
        self.send_response_only(code)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()


_JSON = {"Content-Type": "application/json"}
