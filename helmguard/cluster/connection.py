"""Requests to the API server: raw JSON over pooled connections, retried where the server asks for it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from helmguard.cluster import api_errors
from helmguard.cluster.cluster_access import ClusterAccess
from helmguard.cluster.credentials import Credentials, expired_seconds_ago
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.rate_limit import RateLimit
from helmguard.errors import ClusterError
from helmguard.model.json_value import JSONObject
from helmguard.version import __version__

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

T = TypeVar("T")

JSON = "application/json"
METADATA_LIST = f"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,{JSON}"
"""Accept header for a list of names and labels without the objects' contents."""

_TRIES = 6
_LONGEST_WAIT_SECONDS = 20.0
_PASSING_TROUBLE = ("etcdserver: leader changed", "raft proposal dropped")
"""Ends of messages that Helm retries at once (helm/helm@v3.22.0 pkg/kube/roundtripper.go)."""


class Connection:
    """A connection to one API server as one user; all methods may be called from several threads.

    ``server`` is the URL, ``namespace`` the default one (Helm's rules), ``context`` and ``user`` the
    kubeconfig's names. Every method raises a ``ClusterError``: ``UnreachableError``, ``UnauthorizedError``,
    ``PermissionDeniedError``, ``NotFoundError``, ``RequestTimeoutError`` or ``ApiStatusError``.
    """

    def __init__(
        self, access: ClusterAccess, options: KubeOptions, pool: PoolManager, credentials: Credentials
    ) -> None:
        self.server = access.server.url
        self.namespace = access.namespace
        self.context = access.context
        self.user = access.user
        self.driver = options.driver
        self._pool = pool
        self._credentials = credentials
        self._impersonate = access.identity.impersonate
        self._timeout = options.request_timeout
        self._encoding = "gzip" if access.server.compression else "identity"
        self._limit = RateLimit(options.qps, options.burst_limit or 100) if options.qps else None

    def __repr__(self) -> str:
        return f"Connection({self.server!r}, namespace={self.namespace!r}, context={self.context!r})"

    @property
    def host(self) -> str:
        """``host:port`` for messages."""
        return self.server.split("://", 1)[-1]

    def get_json(self, path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> JSONObject:
        """GET ``/api/v1/...`` and give the answer's JSON object."""
        return self._json("GET", path + _query(query), accept=accept)

    def get_text(self, path: str, query: Mapping[str, str] | None = None) -> str:
        """GET a text: a pod's log. Bytes that are no UTF-8 become replacement characters."""
        response = self._answer("GET", path + _query(query), "text/plain, */*", None)
        if response.status >= 400:
            raise api_errors.status_error(response.status, response.data, f"GET {path}")
        return bytes(response.data).decode("utf-8", "replace")

    def post_json(self, path: str, body: JSONObject) -> JSONObject:
        """POST a review (``SelfSubjectAccessReview`` and such): asks a question, changes nothing."""
        return self._json("POST", path, body=json.dumps(body).encode())

    def write(self, method: str, path: str, body: JSONObject) -> JSONObject:
        """A real write; ``helmguard.cluster.pod_writes`` alone has a use for it."""
        return self._json(method, path, body=json.dumps(body).encode())

    def dry_run(
        self, method: str, path: str, query: Mapping[str, str], content_type: str, body: JSONObject
    ) -> tuple[int, bytes, list[str]]:
        """A write that the server checks and computes but never stores: status, answer and warnings.

        ``dryRun=All`` is set here and nowhere else; a deletion has it in the body, which outweighs the query.
        """
        if method == "DELETE":
            body = {**body, "dryRun": ["All"]}
        target = path + _query({**query, "dryRun": "All"})
        response = self._answer(method, target, JSON, _as_go_writes(body), content_type)
        return response.status, response.data, list(response.headers.getlist("Warning"))

    def list_all(
        self, path: str, query: Mapping[str, str] | None = None, *, accept: str = JSON, limit: int = 500
    ) -> list[JSONObject]:
        """All items under a collection's path, fetched in pages of ``limit``."""
        return self.collect(path, lambda item: item, query, accept=accept, limit=limit)

    def collect(
        self,
        path: str,
        convert: Callable[[JSONObject], T],
        query: Mapping[str, str] | None = None,
        *,
        accept: str = JSON,
        limit: int = 500,
    ) -> list[T]:
        """``list_all`` with each item converted as its page arrives, so that only one page is held raw.

        When the server has forgotten the snapshot that the pages come from (410), the whole list is read
        again at once, so that no mixture of two states is returned.
        """
        converted: list[T] = []
        token = ""
        while True:
            try:
                page = self.list_page(path, query, accept=accept, limit=limit, token=token)
            except api_errors.ApiStatusError as error:
                if error.status != 410 or not token:
                    raise
                return [convert(item) for item in _items(self.get_json(path, query, accept))]
            converted.extend(convert(item) for item in _items(page))
            token = continue_token(page)
            if not token:
                return converted

    def list_page(
        self,
        path: str,
        query: Mapping[str, str] | None = None,
        *,
        accept: str = JSON,
        limit: int = 500,
        token: str = "",
    ) -> JSONObject:
        """One page of a collection as the API's List object; ``token``: the last page's ``continue``."""
        page_query = {**(query or {}), "limit": str(limit)}
        if token:
            page_query["continue"] = token
        return self.get_json(path, page_query, accept)

    def close(self) -> None:
        """Drop the pooled connections."""
        self._pool.clear()

    def _json(self, method: str, target: str, *, accept: str = JSON, body: bytes | None = None) -> JSONObject:
        response = self._answer(method, target, accept, body)
        status, data = response.status, response.data
        doing = f"{method} {target.partition('?')[0]}"
        if status >= 400:
            raise api_errors.status_error(status, data, doing)
        try:
            answer = json.loads(data)
        except ValueError:
            answer = None
        if status >= 300 or not isinstance(answer, dict):
            raise ClusterError(
                f"{self.host} does not answer like a Kubernetes API server ({doing}: {status} without JSON)",
                remedy="Check the server's URL in the kubeconfig; a login page or proxy may be in between.",
            )
        return answer

    def _answer(
        self, method: str, target: str, accept: str, body: bytes | None, content_type: str = JSON
    ) -> BaseHTTPResponse:
        """The answer after the retries that the server asked for and one renewal of credentials."""
        renewed = False
        for attempt in range(1, _TRIES + 1):
            authorization = self._credentials.headers()
            headers = self._headers(accept, body, content_type, authorization)
            response = self._send(method, target, body, headers)
            if response.status == 401:
                if renewed or not self._credentials.renew():
                    raise self._unauthorized(authorization)
                renewed = True
                continue
            wait = _retry_wait(response)
            if wait is None or attempt == _TRIES:
                break
            time.sleep(min(wait, _LONGEST_WAIT_SECONDS))
        return response

    def _send(self, method: str, target: str, body: bytes | None, headers: Any) -> BaseHTTPResponse:
        """One request; a kept connection that the server closed meanwhile is replaced once."""
        from urllib3.exceptions import HTTPError, ProtocolError

        for last_try in (False, True):
            if self._limit is not None:
                self._limit.wait()
            try:
                return self._pool.request(
                    method, self.server + target, body=body, headers=headers, retries=False, redirect=False
                )
            except ProtocolError as error:
                if last_try:
                    raise api_errors.connection_error(error, self.host, self._timeout) from None
            except (HTTPError, OSError) as error:
                raise api_errors.connection_error(error, self.host, self._timeout) from None
        raise AssertionError("unreachable")

    def _headers(
        self, accept: str, body: bytes | None, content_type: str, authorization: Mapping[str, str]
    ) -> Any:
        from urllib3 import HTTPHeaderDict

        headers = HTTPHeaderDict(authorization)
        headers["Accept"] = accept
        headers["Accept-Encoding"] = self._encoding
        headers["User-Agent"] = f"helmguard/{__version__}"
        if body is not None:
            headers["Content-Type"] = content_type
        for name, value in self._impersonate:
            headers.add(name, value)
        return headers

    def _unauthorized(self, authorization: Mapping[str, str]) -> ClusterError:
        expired = expired_seconds_ago(authorization.get("Authorization", ""))
        return api_errors.unauthorized_error(self.host, self.user, expired)


def continue_token(page: JSONObject) -> str:
    """What to pass on for the page after this one, empty after the last."""
    return str((page.get("metadata") or {}).get("continue") or "")


def _as_go_writes(body: JSONObject) -> bytes:
    """JSON in UTF-8: the server reads an apply patch as YAML, which knows no escapes of surrogate pairs."""
    text = json.dumps(body, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return text.encode("utf-8", "replace")


def _query(query: Mapping[str, str] | None) -> str:
    return f"?{urlencode(query)}" if query else ""


def _items(page: JSONObject) -> list[JSONObject]:
    return page.get("items") or []


def _retry_wait(response: BaseHTTPResponse) -> float | None:
    """Seconds to wait before trying again, None to take the answer as it is."""
    if response.status == 429 or response.status >= 500:
        after = response.headers.get("Retry-After", "")
        if after.isdigit():
            return float(after)
        if response.status == 429:
            return 1.0
    if response.status >= 500 and any(end.encode() in response.data for end in _PASSING_TROUBLE):
        return 0.2
    return None
