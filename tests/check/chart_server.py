"""A chart repository and an OCI registry, over TLS on this machine, with charts made for the tests."""

from __future__ import annotations

import base64
import hashlib
import json
import ssl
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from controlplane.access import make_certificates

from helmguard.helm.chart_archive import write_archive
from helmguard.values.chart import ChartFile

PASSWORD = "hunter2hunter2"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


def chart_files(
    name: str, version: str, *, depends: Sequence[Mapping[str, str]] = (), **files: str
) -> dict[str, str]:
    """The files of a chart whose one object holds its version; ``depends`` are its dependencies."""
    text = f"apiVersion: v2\nname: {name}\nversion: {version}\n"
    if depends:
        text += f"dependencies: {json.dumps([dict(entry) for entry in depends])}\n"
    template = (
        f"kind: ConfigMap\napiVersion: v1\nmetadata: {{name: {name}}}\ndata: {{version: '{version}'}}\n"
    )
    return {"Chart.yaml": text, f"templates/{name}.yaml": template, **files}


def pack(archive: Path, files: Mapping[str, str]) -> Path:
    """A chart archive."""
    return write_archive([ChartFile(name, text.encode()) for name, text in files.items()], archive)


def digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


class ChartServer:
    """Serves the charts ``web`` 1.0.0, 1.1.0 and 2.0.0 at ``/charts`` and at ``oci://HOST/charts/web``.

    ``/private`` is the repository again, for who has the `PASSWORD`. ``asked`` are the paths asked for.
    """

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        self._answers: dict[str, tuple[str, bytes]] = {}
        self._folder = folder
        self.certificates = make_certificates(folder / "certificates")
        handler = type("Handler", (_Handler,), {"chart_server": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificates.server, self.certificates.server_key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.host = f"127.0.0.1:{self.server.server_address[1]}"
        self.url = f"https://{self.host}/charts"
        self.oci = f"oci://{self.host}/charts/web"
        self.manifests = self._serve("web", ("1.0.0", "1.1.0", "2.0.0"))

    def _serve(self, name: str, versions: Sequence[str]) -> dict[str, str]:
        """Gives the digest of each version's manifest."""
        index = "apiVersion: v1\nentries:\n  web:\n"
        manifests = {}
        for version in versions:
            data = pack(self._folder / f"{name}-{version}.tgz", chart_files(name, version)).read_bytes()
            self._answers[f"/charts/{name}-{version}.tgz"] = ("application/gzip", data)
            index += (
                f"  - {{apiVersion: v2, name: {name}, version: {version}, urls: [{name}-{version}.tgz]}}\n"
            )
            manifests[version] = self._serve_oci(name, version, data)
        self._answers["/charts/index.yaml"] = ("application/yaml", index.encode())
        tags = json.dumps({"name": f"charts/{name}", "tags": list(versions)}).encode()
        self._answers[f"/v2/charts/{name}/tags/list"] = ("application/json", tags)
        return manifests

    def _serve_oci(self, name: str, version: str, data: bytes) -> str:
        config = json.dumps({"name": name, "version": version, "apiVersion": "v2"}).encode()
        parts = {"config": ("config.v1+json", config), "layer": ("chart.content.v1.tar+gzip", data)}
        described = {
            part: {
                "mediaType": f"application/vnd.cncf.helm.{kind}",
                "digest": digest(body),
                "size": len(body),
            }
            for part, (kind, body) in parts.items()
        }
        manifest = json.dumps(
            {
                "schemaVersion": 2,
                "mediaType": MANIFEST,
                "config": described["config"],
                "layers": [described["layer"]],
            }
        ).encode()
        for _, body in parts.values():
            self._answers[f"/v2/charts/{name}/blobs/{digest(body)}"] = ("application/octet-stream", body)
        for reference in (version, digest(manifest)):
            self._answers[f"/v2/charts/{name}/manifests/{reference}"] = (MANIFEST, manifest)
        return digest(manifest)

    def answer(self, path: str, login: str | None) -> tuple[int, str, bytes]:
        """Status, type and body for a path."""
        self.asked.append(path)
        if path.startswith("/private/"):
            if login != "Basic " + base64.b64encode(f"me:{PASSWORD}".encode()).decode():
                return 401, "text/plain", b""
            path = path.replace("/private/", "/charts/")
        found = self._answers.get(path)
        return (200, *found) if found is not None else (404, "text/plain", b"")


class _Handler(BaseHTTPRequestHandler):
    chart_server: ChartServer

    def do_GET(self) -> None:
        status, kind, body = self.chart_server.answer(
            self.path.partition("?")[0], self.headers.get("Authorization")
        )
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Docker-Content-Digest", digest(body))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(folder: Path) -> Iterator[ChartServer]:
    """A server until the block ends."""
    served = ChartServer(folder)
    thread = threading.Thread(target=served.server.serve_forever, daemon=True)
    thread.start()
    yield served
    served.server.shutdown()
    served.server.server_close()
    thread.join()
