"""What proves who we are, request by request."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from threading import Lock
from typing import Protocol

from helmguard.cluster.cluster_access import UserIdentity
from helmguard.errors import ClusterError

_REREAD_AFTER_SECONDS = 60.0


class Credentials(Protocol):
    """Gives the Authorization header; none is ever printed or put into an error."""

    def headers(self) -> dict[str, str]:
        """The headers for the next request, refreshed when they have run out."""
        ...

    def renew(self) -> bool:
        """The server said 401: get new credentials; False where there is no way to."""
        ...


class FixedCredentials:
    """A token or password that stays as it is, or nothing (a client certificate, or anonymous)."""

    def __init__(self, authorization: str = "") -> None:
        self._headers = {"Authorization": authorization} if authorization else {}

    def headers(self) -> dict[str, str]:
        return self._headers

    def renew(self) -> bool:
        return False


class TokenFileCredentials:
    """A token in a file that someone else keeps fresh: read again each minute and after a 401."""

    def __init__(self, file: str, fallback: str = "") -> None:
        self._file = file
        self._token = fallback
        self._read_at = float("-inf")
        self._lock = Lock()

    def headers(self) -> dict[str, str]:
        with self._lock:
            if time.monotonic() - self._read_at > _REREAD_AFTER_SECONDS:
                self._read()
            return {"Authorization": f"Bearer {self._token}"}

    def renew(self) -> bool:
        with self._lock:
            before = self._token
            self._read()
            return self._token != before

    def _read(self) -> None:
        try:
            self._token = Path(self._file).read_text(encoding="utf-8").strip() or self._token
        except (OSError, UnicodeDecodeError) as error:
            if not self._token:
                reason = getattr(error, "strerror", None) or "not a text file"
                raise ClusterError(f"token file {self._file} cannot be read: {reason}") from None
        self._read_at = time.monotonic()


def plain_credentials(identity: UserIdentity) -> Credentials:
    """Credentials that need no plugin (client-go's order: token, then password)."""
    if identity.token_file:
        return TokenFileCredentials(identity.token_file, identity.token)
    if identity.token:
        return FixedCredentials(f"Bearer {identity.token}")
    if identity.username:
        pair = f"{identity.username}:{identity.password}".encode()
        return FixedCredentials(f"Basic {base64.b64encode(pair).decode()}")
    return FixedCredentials()


def expired_seconds_ago(authorization: str) -> float | None:
    """How long ago a JWT bearer token expired; None where it has not, or is no JWT."""
    parts = authorization.removeprefix("Bearer ").split(".")
    if len(parts) != 3:
        return None
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        age = time.time() - float(claims["exp"])
    except (ValueError, KeyError, TypeError):
        return None
    return age if age > 0 else None
