"""Reading what drift is computed from: records, and the live objects of many releases at once."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from helmguard.cluster.connection import Connection
from helmguard.cluster.release_index import IndexedRelease
from helmguard.cluster.release_storage import (
    StoredRevision,
    read_records,
    read_revision_index,
    versions_for_upgrade,
)
from helmguard.model.discovery import Discovery
from helmguard.model.release import History, Revision
from helmguard.planner.live_reading import (
    LiveObjects,
    Wanted,
    read_live_objects,
    wanted_objects,
    wanted_of_revisions,
)


def read_stored_history(connection: Connection, release: IndexedRelease) -> History:
    """The revisions that say what should be live, and the failed ones, which may have left something.

    What superseded revisions say is not read: a release may have ten of them, of a megabyte each.

    Raises:
        ClusterError: a record cannot be read.
    """
    history = _read(connection, release, release.revisions)
    if history.deployed() is None and any(each.status == "deployed" for each in release.revisions):
        # An upgrade came in between the list and the reading.
        now = read_revision_index(connection, release.namespace, release.name)
        history = _read(connection, release, now)
    return replace(history, revisions=tuple(map(_slim, history.revisions)))


def _read(connection: Connection, release: IndexedRelease, index: Iterable[StoredRevision]) -> History:
    known = list(index)
    needed = set(versions_for_upgrade(known))
    wanted = [each for each in known if each.version in needed or each.status == "failed"]
    return read_records(connection, release.namespace, release.name, wanted or known)


def _slim(revision: Revision) -> Revision:
    """Without templates and values: many records are held at a time, and these are their larger part."""
    return replace(revision, chart={"metadata": revision.chart.get("metadata") or {}}, config=None, notes="")


def wanted_of(history: History, base: Revision, discovery: Discovery) -> Wanted:
    """The objects of the deployed manifest, and those that only other revisions name.

    Raises:
        ManifestError: the deployed manifest cannot be read. Another revision's names nothing then.
    """
    others = [revision for revision in history.revisions if revision.version != base.version]
    wanted = wanted_of_revisions(others, history.namespace, discovery)
    return wanted | wanted_objects(base.manifest, (), history.namespace, discovery)


def read_for(connection: Connection, discovery: Discovery, wanted: Iterable[Wanted]) -> LiveObjects:
    """All objects wanted, one list for each kind and namespace however many releases ask for it."""
    union: Wanted = {}
    for each in wanted:
        union |= each
    return read_live_objects(connection, discovery, union)
