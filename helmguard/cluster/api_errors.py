"""Errors of requests to the API server, and how answers and broken connections become them."""

from __future__ import annotations

import json
import re
from typing import Any

from helmguard.errors import ClusterError, PermissionDeniedError
from helmguard.model.json_value import JSONObject

_WAITED = re.compile(r"read timeout=([\d.]+)")
"""urllib3's words: a server that is silent in the TLS handshake is given up after the time for connecting."""


class UnreachableError(ClusterError):
    """No connection: wrong address, server down, TLS or proxy trouble."""


class RequestTimeoutError(ClusterError):
    """Connected, but no answer came in time."""


class UnauthorizedError(ClusterError):
    """401: the credentials were not accepted."""


class ApiStatusError(ClusterError):
    """Another error status. ``reason`` is the API's word (``NotFound``, ``Expired``), may be empty."""

    def __init__(self, message: str, *, status: int, reason: str = "", remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.status = status
        self.reason = reason


class NotFoundError(ApiStatusError):
    """404. ``path_unknown``: the server does not know the path at all, so the kind is not served."""

    def __init__(self, message: str, *, path_unknown: bool) -> None:
        super().__init__(message, status=404, reason="NotFound")
        self.path_unknown = path_unknown


def status_error(status: int, body: bytes, doing: str) -> ClusterError:
    """The error for an answer of 400 or above; ``doing`` is ``GET /api/v1/...``."""
    answer = _status_object(body)
    reason = str(answer.get("reason") or "")
    message = str(answer.get("message") or _short_text(body)).strip()
    if b"HTTP request to an HTTPS server" in body:
        return UnreachableError(
            f"the server speaks TLS and was asked without it ({doing})",
            remedy="Write the server's URL with https:// in the kubeconfig or --kube-apiserver.",
        )
    if status == 403:
        return PermissionDeniedError(
            message or f"the API server refused {doing}: 403 Forbidden",
            remedy="Ask for the permission, or try another user with --kube-context or --kube-as-user.",
        )
    if status == 404:
        details = answer.get("details")
        named = isinstance(details, dict) and bool(details.get("name"))
        return NotFoundError(message or f"{doing}: 404 not found", path_unknown=not named)
    return ApiStatusError(
        f"the API server answered {doing} with {status} {reason}".rstrip()
        + (f": {message}" if message else ""),
        status=status,
        reason=reason,
    )


def unauthorized_error(server: str, user: str, expired_ago: float | None) -> UnauthorizedError:
    """The error for 401; ``expired_ago`` in seconds where the token tells."""
    who = f"kubeconfig user {user!r}" if user else "this user"
    why = f": the token expired {_duration(expired_ago)} ago" if expired_ago is not None else ""
    return UnauthorizedError(
        f"the API server at {server} did not accept the credentials of {who} (401 Unauthorized){why}",
        remedy="Log in again (for a cloud: its own login command), or choose another --kube-context.",
    )


def connection_error(error: Exception, server: str, timeout: float) -> ClusterError:
    """What a urllib3 error means, in words; ``server`` is ``host:port``, ``timeout`` in seconds."""
    from urllib3 import exceptions as http

    if isinstance(error, http.ReadTimeoutError):
        waited = _WAITED.search(str(error))
        seconds = float(waited[1]) if waited else timeout
        return RequestTimeoutError(
            f"the API server at {server} did not answer within {seconds:g} s",
            remedy="Try again; a slow aggregated API or an overloaded server are the usual causes.",
        )
    why, remedy = _broken_because(error, http)
    return UnreachableError(f"cannot reach the Kubernetes API server at {server}: {why}", remedy=remedy)


def _broken_because(error: Exception, http: Any) -> tuple[str, str]:
    which = "Check the context (kubectl config current-context), --kube-context and --kubeconfig."
    text = " ".join(str(part) for part in _chain(error))
    if isinstance(error, http.ProxyError):
        return f"the proxy failed ({_last_words(error)})", "Check proxy-url, HTTPS_PROXY and NO_PROXY."
    if isinstance(error, http.NameResolutionError):
        return "the host name cannot be resolved", f"Check the network, VPN and DNS. {which}"
    if isinstance(error, http.ConnectTimeoutError) and not isinstance(error, http.NewConnectionError):
        return "no connection in time", f"Check the network, VPN and firewall. {which}"
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return _certificate_trouble(text)
    if "WRONG_VERSION_NUMBER" in text or "HTTP_REQUEST" in text:
        return "it does not speak TLS", "Check the server's URL: http:// or another port may be meant."
    if "ALERT" in text and "CERTIFICATE" in text:
        return "it refused the client certificate", "Renew the client certificate in the kubeconfig."
    if "Connection refused" in text:
        return "connection refused", f"Is the cluster running? {which}"
    return _last_words(error), which


def _certificate_trouble(text: str) -> tuple[str, str]:
    if "Hostname mismatch" in text or "IP address mismatch" in text:
        return (
            "its certificate is for another host name",
            "Give the name that the certificate has with --kube-tls-server-name.",
        )
    if "certificate has expired" in text:
        return "its certificate has expired", "Renew the server's certificate, or check this machine's clock."
    return (
        "its certificate is signed by an unknown authority",
        "Check certificate-authority-data in the kubeconfig, or give --kube-ca-file FILE.",
    )


def _chain(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and len(found) < 8:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _last_words(error: Exception) -> str:
    for part in reversed(_chain(error)):
        if isinstance(part, OSError) and part.strerror:
            return part.strerror
    return type(error).__name__


def _status_object(body: bytes) -> JSONObject:
    try:
        answer = json.loads(body)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) and answer.get("kind") == "Status" else {}


def _short_text(body: bytes) -> str:
    """A plain answer such as ``service unavailable``; pages and long texts say nothing to a user here."""
    text = body[:200].decode("utf-8", errors="replace").strip()
    return text if len(body) <= 200 and text.isprintable() and text[:1] not in ("<", "{") else ""


def _duration(seconds: float) -> str:
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"
