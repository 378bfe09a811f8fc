"""What can go wrong with a request."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import Any

from requests_seen import Asked, Matches

_HELD_SECONDS = 60.0


@dataclass(frozen=True)
class Answer:
    """Given in the API server's place: a ``Status`` object, as the API server's own refusals are."""

    code: int
    reason: str
    message: str
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def body(self) -> bytes:
        status: dict[str, Any] = {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "code": self.code,
            "reason": self.reason,
            "message": self.message,
        }
        return json.dumps(status).encode()


EXPIRED = Answer(401, "Unauthorized", "Unauthorized")
"""What the holder of an expired token gets."""

FULL_QUEUE = Answer(429, "TooManyRequests", "too many requests, please try again later", {"Retry-After": "1"})
BROKEN = Answer(500, "InternalError", "Internal error occurred: etcdserver: no leader")


def forbidden(what: str) -> Answer:
    """A right that is missing."""
    return Answer(403, "Forbidden", f'{what} is forbidden: User "somebody" cannot do that')


class Hold:
    """A request that waits until the test lets it go on."""

    def __init__(self) -> None:
        self._reached = threading.Event()
        self._released = threading.Event()
        self._lost = False

    def await_request(self, seconds: float = 30.0) -> None:
        """Until a request has come that is held."""
        assert self._reached.wait(seconds), f"no such request came within {seconds:.0f} s"

    def release(self) -> None:
        """Let it, and those that come later, go on."""
        self._released.set()

    def lose(self) -> None:
        """It never goes on: who asked is gone, or the server is."""
        self._lost = True
        self._released.set()

    def keep(self) -> bool:
        """For the server: note that a request is here, and keep it; whether it may go on then."""
        self._reached.set()
        self._released.wait(_HELD_SECONDS)
        return not self._lost


@dataclass
class Fault:
    """Something that happens to the requests that match, from one to another one of them.

    ``answer``: what is answered; with ``close`` nothing is, and the connection ends. ``hold`` keeps the
    request before that. ``handled``: the API server gets it first, and only its answer is kept or lost.
    """

    matches: Matches
    answer: Answer | None = None
    close: bool = False
    hold: Hold | None = None
    handled: bool = False
    skip: int = 0
    times: int | None = None
    _seen: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def takes(self, asked: Asked) -> bool:
        """Whether this request is one of those that it happens to."""
        if not self.matches(asked):
            return False
        with self._lock:
            self._seen += 1
            number = self._seen - self.skip
        return number >= 1 and (self.times is None or number <= self.times)
