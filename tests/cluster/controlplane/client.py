"""The test cluster's API as raw JSON: what a test needs to arrange a state and to look at the truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, cast
from urllib.parse import urlencode

import urllib3

from controlplane.access import ADMIN, LIMITED
from controlplane.state import State

JSON = dict[str, Any]
PatchKind = Literal["merge", "json", "strategic"]

_PATCH_TYPES: Final = {
    "merge": "application/merge-patch+json",
    "json": "application/json-patch+json",
    "strategic": "application/strategic-merge-patch+json",
}


_QUOTA_IN_USE: Final = "Operation cannot be fulfilled on resourcequotas"
_QUOTA_TRIES: Final = 20


class ApiError(Exception):
    """The API server refused: `code` is the HTTP status, `status` the `Status` object it answered with."""

    def __init__(self, request: str, code: int, status: JSON) -> None:
        super().__init__(f"{request}: {code} {status.get('reason', '')}: {status.get('message', '')}")
        self.code = code
        self.status = status


class ControlPlane:
    """One user's access to a test cluster.

    Every method takes a path as the API server has it: `/api/v1/namespaces/web/configmaps/settings`, or that
    of the collection for `create` and `items`. Objects are plain JSON. Refusals raise `ApiError`.
    """

    def __init__(self, folder: Path, state: State, user: str = ADMIN) -> None:
        self.folder = folder
        self.user = user
        self._state = state

    @property
    def server(self) -> str:
        """The API server's URL."""
        return self._state.server

    @property
    def token(self) -> str:
        return self._state.tokens[self.user]

    @property
    def ca(self) -> Path:
        """The certificate of the authority that signed the API server's."""
        return Path(self._state.ca)

    @property
    def kubeconfig(self) -> Path:
        """A kubeconfig for this user. It has a context for each user, and this user's is the current one."""
        admin = Path(self._state.kubeconfig)
        return admin if self.user == ADMIN else admin.with_name(f"{admin.name}.{self.user}")

    def as_limited(self) -> ControlPlane:
        """The same cluster for a user who may do nothing but what a test grants the user `limited`."""
        return ControlPlane(self.folder, self._state, LIMITED)

    def get(self, path: str, **query: str) -> JSON:
        return self.request("GET", path, query)

    def find(self, path: str, **query: str) -> JSON | None:
        """As `get`, but None for an object that does not exist."""
        try:
            return self.get(path, **query)
        except ApiError as error:
            if error.code == 404:
                return None
            raise

    def items(self, path: str, **query: str) -> list[JSON]:
        return cast(list[JSON], self.get(path, **query)["items"])

    def create(self, path: str, body: JSON, *, field_manager: str = "", dry_run: bool = False) -> JSON:
        """Posts `body` to a collection's path, again where its quota was being counted at that moment."""
        for _ in range(_QUOTA_TRIES):
            try:
                return self.request("POST", path, _options(field_manager, dry_run), body)
            except ApiError as error:
                if error.code != 409 or _QUOTA_IN_USE not in str(error):
                    raise
        return self.request("POST", path, _options(field_manager, dry_run), body)

    def replace(self, path: str, body: JSON, *, field_manager: str = "", dry_run: bool = False) -> JSON:
        return self.request("PUT", path, _options(field_manager, dry_run), body)

    def apply(
        self, path: str, body: JSON, *, field_manager: str, force: bool = False, dry_run: bool = False
    ) -> JSON:
        """Server-side apply; without `force`, another manager's field is an `ApiError` with code 409."""
        query = {**_options(field_manager, dry_run), "force": str(force).lower()}
        return self.request("PATCH", path, query, body, "application/apply-patch+yaml")

    def patch(
        self,
        path: str,
        body: JSON | list[JSON],
        *,
        kind: PatchKind = "merge",
        field_manager: str = "",
        dry_run: bool = False,
    ) -> JSON:
        return self.request("PATCH", path, _options(field_manager, dry_run), body, _PATCH_TYPES[kind])

    def delete(
        self, path: str, *, propagation: Literal["Background", "Foreground", "Orphan"] = "Background"
    ) -> JSON:
        """Asks for the deletion; `wait_for(path, lambda found: found is None)` waits for its end."""
        return self.request("DELETE", path, {"propagationPolicy": propagation})

    def remove(self, path: str) -> None:
        """What a test does at its end: delete the object, unless it is gone.

        Looking first is no help: an object whose deletion is under way may go between the two requests.
        """
        try:
            self.delete(path)
        except ApiError as error:
            if error.code != 404:
                raise

    def wait_for(
        self, path: str, holds: Callable[[JSON | None], bool], *, seconds: float = 30.0
    ) -> JSON | None:
        """Watches one object until `holds` is true of it (None: it does not exist), and returns it."""
        collection, _, name = path.rpartition("/")
        selector = {"fieldSelector": f"metadata.name={name}"}
        listed = self.get(collection, **selector)
        found = cast(JSON | None, next(iter(listed["items"]), None))
        if holds(found):
            return found
        version = listed["metadata"]["resourceVersion"]
        for event in self._watch(collection, {**selector, "resourceVersion": version}, seconds):
            found = None if event["type"] == "DELETED" else event["object"]
            if holds(found):
                return found
        raise TimeoutError(f"{path} did not become what the test waits for in {seconds:.0f} s: {found}")

    def request(
        self,
        method: str,
        path: str,
        query: Mapping[str, str],
        body: JSON | list[JSON] | None = None,
        content_type: str = "application/json",
        accept: str = "application/json",
    ) -> JSON:
        """Any request, for what the other methods do not cover."""
        response = self._pool.request(
            method,
            self._url(path, query),
            body=None if body is None else json.dumps(body).encode(),
            headers={**self._headers, "Content-Type": content_type, "Accept": accept},
        )
        answer = _decoded(response.data)
        if response.status >= 400:
            raise ApiError(f"{method} {path}", response.status, answer)
        return answer

    def _watch(self, path: str, query: Mapping[str, str], seconds: float) -> Iterator[JSON]:
        watch = {**query, "watch": "true", "timeoutSeconds": str(int(max(seconds, 1)))}
        response = self._pool.request(
            "GET", self._url(path, watch), headers=self._headers, preload_content=False
        )
        try:
            if response.status >= 400:
                raise ApiError(f"WATCH {path}", response.status, _decoded(response.data))
            pending = b""
            for part in response.stream(amt=None):
                *lines, pending = (pending + part).split(b"\n")
                yield from (json.loads(line) for line in lines)
        finally:
            # Not given back to the pool: the rest of the watch is still to come on this connection.
            response.close()

    def _url(self, path: str, query: Mapping[str, str]) -> str:
        return f"{self.server}{path}?{urlencode(query)}" if query else f"{self.server}{path}"

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}

    @cached_property
    def _pool(self) -> urllib3.PoolManager:
        return urllib3.PoolManager(maxsize=4, ca_certs=str(self.ca), retries=False, timeout=60.0)


def _options(field_manager: str, dry_run: bool) -> dict[str, str]:
    query = {}
    if field_manager:
        query["fieldManager"] = field_manager
    if dry_run:
        query["dryRun"] = "All"
    return query


def _decoded(data: bytes) -> JSON:
    """The answer's object; text that is no JSON (such as `ok`) becomes a `message`."""
    try:
        decoded = json.loads(data)
    except ValueError:
        return {"message": data.decode(errors="replace")}
    return decoded if isinstance(decoded, dict) else {"message": decoded}
