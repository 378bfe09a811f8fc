"""Lists that may fail: each gives its objects, or says in words why it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from helmguard.cluster.api_errors import (
    ApiStatusError,
    NotFoundError,
    RequestTimeoutError,
    UnauthorizedError,
    UnreachableError,
)
from helmguard.cluster.connection import JSON, Connection
from helmguard.cluster.fact_trimming import Trim, metadata_only
from helmguard.cluster.object_paths import collection_path
from helmguard.errors import ClusterError, PermissionDeniedError
from helmguard.model.discovery import ServedKind
from helmguard.model.json_value import JSONObject

T = TypeVar("T")

PAGE = 500

METADATA_ALONE = ",".join(
    f"{JSON};as=PartialObjectMetadataList;g=meta.k8s.io;v={v}" for v in ("v1", "v1beta1")
)
"""Accept header for metadata and nothing else: a server that cannot give that must refuse (406)."""

_TIMEOUTS = 3
"""From so many on, the rest is not tried: each would take as long again."""


class Unread(msgspec.Struct, frozen=True):
    """It could not be read; ``why`` is for people."""

    why: str


class FactReader:
    """Reads with one connection; once the server is gone or turns the user away, asks no more."""

    def __init__(self, connection: Connection, page: int = PAGE) -> None:
        self.connection = connection
        self.page = page
        self._timeouts = 0
        self._over = ""

    def attempt(self, what: str, read: Callable[[], T]) -> T | Unread:
        """What ``read`` gives; ``what`` says in an error what was being read (``pods in namespace web``)."""
        if self._over:
            return Unread(self._over)
        try:
            return read()
        except PermissionDeniedError as error:
            return Unread(error.message)
        except (UnreachableError, UnauthorizedError) as error:
            self._over = error.message
            return Unread(error.message)
        except RequestTimeoutError as error:
            self._timeouts += 1
            if self._timeouts >= _TIMEOUTS:
                self._over = error.message
            return Unread(f"{what} could not be listed: {error.message}")
        except ClusterError as error:
            return Unread(f"{what} could not be listed: {error.message}")

    def list_objects(self, kind: ServedKind, namespace: str | None, trim: Trim) -> list[JSONObject] | Unread:
        """All objects of a kind, of one namespace or of all."""
        return self.attempt(_what(kind, namespace), lambda: self._list(kind, namespace, trim, JSON))

    def list_metadata(self, kind: ServedKind, namespace: str | None) -> list[JSONObject] | Unread:
        """The same without their contents, which the server does not even send.

        An aggregated API that cannot leave them out sends all, and they are dropped here; never for the core
        group, where Secrets are.
        """
        return self.attempt(_what(kind, namespace), lambda: self._list_metadata(kind, namespace))

    def _list_metadata(self, kind: ServedKind, namespace: str | None) -> list[JSONObject]:
        try:
            return self._list(kind, namespace, metadata_only, METADATA_ALONE)
        except ApiStatusError as error:
            if error.status != 406 or not kind.group:
                raise
            return self._list(kind, namespace, metadata_only, JSON)

    def _list(self, kind: ServedKind, namespace: str | None, trim: Trim, accept: str) -> list[JSONObject]:
        try:
            return self.connection.collect(
                collection_path(kind, namespace),
                lambda body: trim(body, kind),
                accept=accept,
                limit=self.page,
            )
        except NotFoundError:
            # The kind went away since discovery.
            return []


def joined(reasons: Iterable[str], most: int = 3) -> str:
    """Several reasons as one text, each once."""
    distinct = list(dict.fromkeys(reasons))
    more = f"; and {len(distinct) - most} more" if len(distinct) > most else ""
    return "; ".join(distinct[:most]) + more


def _what(kind: ServedKind, namespace: str | None) -> str:
    return f"{kind.plural} in namespace {namespace}" if namespace else kind.plural
