"""All releases with their stored revisions, from the labels of the records alone."""

from __future__ import annotations

import msgspec

from helmguard.cluster.connection import METADATA_LIST, Connection
from helmguard.cluster.release_storage import StoredRevision, stored_revision
from helmguard.cluster.storage_driver import storage_driver
from helmguard.errors import PermissionDeniedError
from helmguard.model.json_value import JSONObject

_RECORDS_PER_PAGE = 2000


class IndexedRelease(msgspec.Struct, frozen=True):
    """A release and its revisions, oldest first; there is at least one."""

    namespace: str
    name: str
    revisions: tuple[StoredRevision, ...]

    @property
    def last(self) -> StoredRevision:
        """The highest revision."""
        return self.revisions[-1]


def read_release_index(
    connection: Connection, namespace: str | None, selector: str = ""
) -> list[IndexedRelease]:
    """The releases of a namespace, or of all for None; sorted by namespace and name.

    ``selector`` chooses by the labels of the last revision's record, as ``helm list -l`` does.

    Raises:
        ReleaseError: ``HELM_DRIVER`` names a driver whose records are not in the cluster.
        ClusterError: the records cannot be listed.
    """
    releases = _index(connection, namespace, "owner=helm")
    if not selector:
        return releases
    chosen = {
        (release.namespace, revision.storage_name)
        for release in _index(connection, namespace, f"owner=helm,{selector}")
        for revision in release.revisions
    }
    return [release for release in releases if (release.namespace, release.last.storage_name) in chosen]


def _index(connection: Connection, namespace: str | None, selector: str) -> list[IndexedRelease]:
    driver = storage_driver(connection.driver)
    try:
        records = connection.collect(
            driver.path(namespace),
            _record,
            {"labelSelector": selector},
            accept=METADATA_LIST,
            limit=_RECORDS_PER_PAGE,
        )
    except PermissionDeniedError as error:
        everywhere = "cluster role" if namespace is None else "role"
        raise PermissionDeniedError(
            f"the release records cannot be listed: {error.message}",
            remedy=f"Grant a {everywhere} with get and list on {driver.plural}"
            + (", or name a namespace with -n." if namespace is None else "."),
        ) from None
    found: dict[tuple[str, str], list[StoredRevision]] = {}
    for place, name, revision in records:
        if name:
            found.setdefault((place, name), []).append(revision)
    return [
        IndexedRelease(place, name, tuple(sorted(found[place, name], key=_number)))
        for place, name in sorted(found)
    ]


def _record(item: JSONObject) -> tuple[str, str, StoredRevision]:
    metadata = item.get("metadata") or {}
    name = str((metadata.get("labels") or {}).get("name") or "")
    return str(metadata.get("namespace") or ""), name, stored_revision(item)


def _number(revision: StoredRevision) -> int:
    return revision.version or 0
