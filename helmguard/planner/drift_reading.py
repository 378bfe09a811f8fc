"""Reading what the drift of releases is computed from: their live objects, read once for all of them."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.cluster.connection import Connection
from helmguard.errors import ManifestError
from helmguard.model.discovery import Discovery
from helmguard.model.release import History, Revision
from helmguard.planner.live_reading import LiveObjects, Wanted, read_live_objects, wanted_objects


def wanted_of(history: History, base: Revision, discovery: Discovery) -> Wanted:
    """The objects of the deployed manifest, and those that only other revisions name.

    Raises:
        ManifestError: the deployed manifest cannot be read. Another revision's names nothing then.
    """
    wanted: Wanted = {}
    for revision in history.revisions:
        if revision is base:
            continue
        try:
            wanted |= wanted_objects(revision.manifest, (), history.namespace, discovery)
        except ManifestError:
            continue
    held = wanted_objects(base.manifest, (), history.namespace, discovery)
    return wanted | held


def read_for(connection: Connection, discovery: Discovery, wanted: Iterable[Wanted]) -> LiveObjects:
    """All objects wanted, one list for each kind and namespace however many releases ask for it."""
    union: Wanted = {}
    for each in wanted:
        union |= each
    return read_live_objects(connection, discovery, union)
