"""Which releases there are, from the labels of their records alone."""

from __future__ import annotations

import difflib
from datetime import datetime

import msgspec

from helmguard.cluster.connection import METADATA_LIST, Connection
from helmguard.cluster.storage_driver import StorageDriver, storage_driver
from helmguard.errors import ClusterError, ReleaseNotFoundError
from helmguard.model.json_value import JSONObject

_RECORDS_PER_PAGE = 2000


class ListedRelease(msgspec.Struct, frozen=True):
    """A release and its last revision, made at ``changed`` (Unix seconds or 0); ``status`` is the label's."""

    namespace: str
    name: str
    version: int
    status: str
    changed: int = 0


def list_releases(connection: Connection, namespace: str | None = None) -> list[ListedRelease]:
    """The last revision of each release of a namespace, or of all for None; sorted by namespace and name.

    Reads labels, never records, so thousands of records take about a second.
    """
    return _list(connection, storage_driver(connection.driver), namespace, "owner=helm")


def release_not_found(connection: Connection, namespace: str, name: str) -> ReleaseNotFoundError:
    """The error for a release that is not there, with what the user probably meant.

    Looks for the same name in other namespaces and in the other storage driver, and for names that look
    alike in the namespace, as far as the user may.
    """
    nearest = nearest_release_names(connection, namespace, name)
    hints = []
    elsewhere = _namespaces_with(connection, namespace, name)
    if elsewhere:
        hints.append(f"A release of this name is in {_listed(elsewhere)}: give -n {elsewhere[0]}.")
    other = _other_driver_with(connection, namespace, name)
    if other:
        hints.append(f"A release of this name is stored in {other.kind}s: set HELM_DRIVER={other.name}.")
    if nearest:
        hints.append(f"Did you mean {_listed(nearest)}?")
    if not hints:
        hints.append(f"See the releases of the namespace with: helm list -a -n {namespace}")
    return ReleaseNotFoundError(
        f"release {name!r} is not in namespace {namespace!r}", nearest=nearest, remedy=" ".join(hints)
    )


def nearest_release_names(connection: Connection, namespace: str, name: str) -> tuple[str, ...]:
    """Names in the namespace that look like ``name``, best first; empty where they cannot be listed."""
    try:
        releases = list_releases(connection, namespace)
    except ClusterError:
        return ()
    names = [release.name for release in releases]
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    contained = [known for known in names if known not in close and (name in known or known in name)]
    return tuple([*close, *contained][:3])


def _namespaces_with(connection: Connection, namespace: str, name: str) -> tuple[str, ...]:
    try:
        driver = storage_driver(connection.driver)
        releases = _list(connection, driver, None, f"owner=helm,name={name}")
    except ClusterError:
        return ()
    return tuple(release.namespace for release in releases if release.namespace != namespace)


def _other_driver_with(connection: Connection, namespace: str, name: str) -> StorageDriver | None:
    other = storage_driver(connection.driver).other()
    try:
        found = _list(connection, other, namespace, f"owner=helm,name={name}")
    except ClusterError:
        return None
    return other if found else None


def _list(
    connection: Connection, driver: StorageDriver, namespace: str | None, selector: str
) -> list[ListedRelease]:
    listed = connection.collect(
        driver.path(namespace),
        _listed_release,
        {"labelSelector": selector},
        accept=METADATA_LIST,
        limit=_RECORDS_PER_PAGE,
    )
    last: dict[tuple[str, str], ListedRelease] = {}
    for release in listed:
        key = (release.namespace, release.name)
        if key not in last or release.version > last[key].version:
            last[key] = release
    return [last[key] for key in sorted(last)]


def _listed_release(item: JSONObject) -> ListedRelease:
    metadata = item.get("metadata") or {}
    labels = metadata.get("labels") or {}
    return ListedRelease(
        namespace=str(metadata.get("namespace") or ""),
        name=labels.get("name", ""),
        version=_number(labels.get("version")),
        status=labels.get("status", ""),
        changed=_changed(metadata.get("creationTimestamp"), labels),
    )


def _changed(created: str | None, labels: JSONObject) -> int:
    """When the last revision was made, as ``helm list`` has it.

    Not by the labels: Helm hands those of a revision on to the next one, so ``modifiedAt`` of an upgraded
    release is often the time of its installation, and else that of its last status.
    """
    if created:
        return int(datetime.fromisoformat(created).timestamp())
    return _number(labels.get("createdAt") or labels.get("modifiedAt"))


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:5]) + (" and more" if len(names) > 5 else "")
