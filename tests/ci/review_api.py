"""A stand-in for the parts of GitHub's and GitLab's API that comments need, on 127.0.0.1."""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "a-token-that-may-write"
_LISTED = re.compile(r"^/repos/shop/web/issues/7/comments$|^/projects/5/merge_requests/7/notes$")
_ONE = re.compile(r"^(?:/repos/shop/web/issues/comments|/projects/5/merge_requests/7/notes)/(\d+)$")


class ReviewApi:
    """``comments`` are those of request 7, by id; those in ``others`` may not be edited."""

    def __init__(self) -> None:
        self.comments: dict[int, str] = {}
        self.others: set[int] = set()
        self.asked: list[str] = []
        self.redirect = ""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def add(self, body: str, *, others: bool = False) -> int:
        """A comment that is there already."""
        number = len(self.comments) + 1
        self.comments[number] = body
        if others:
            self.others.add(number)
        return number

    def answer(self, method: str, url: str, token: str, body: Any) -> tuple[int, Any]:
        """Status and document."""
        place = urlsplit(url)
        self.asked.append(f"{method} {place.path}")
        if token != TOKEN:
            return 403, {"message": f"not with {token}"}
        if _LISTED.match(place.path):
            if method == "POST":
                number = self.add(body["body"])
                return 201, {"id": number, "body": body["body"]}
            if method == "GET":
                query = parse_qs(place.query)
                size, page = int(query["per_page"][0]), int(query["page"][0])
                listed = [{"id": each, "body": text} for each, text in self.comments.items()]
                return 200, listed[size * (page - 1) : size * page]
        one = _ONE.match(place.path)
        wanted = "PATCH" if place.path.startswith("/repos") else "PUT"
        if one and method == wanted:
            number = int(one[1])
            if number in self.others:
                return 403, {"message": "not yours"}
            self.comments[number] = body["body"]
            return 200, {"id": number, "body": body["body"]}
        return 404, {"message": "no such place"}


def _handler(api: ReviewApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if api.redirect:
                self.send_response(302)
                self.send_header("Location", api.redirect)
                self.end_headers()
                return
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            said = self.headers.get("Authorization", "").removeprefix("Bearer ")
            token = said or self.headers.get("PRIVATE-TOKEN", "")
            status, document = api.answer(self.command, self.path, token, body)
            data = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_PATCH = do_PUT = do_GET

        def log_message(self, *_: Any) -> None:
            pass

    return Handler
