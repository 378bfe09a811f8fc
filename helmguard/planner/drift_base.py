"""Which stored revision says what the cluster should hold."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.model.release import PENDING_STATUSES, History, Revision


def base_revision(history: History) -> Revision | None:
    """The revision an upgrade builds on; where Helm would refuse one, the last stands in."""
    return history.current_for_upgrade() or history.last()


def without_obstacles(history: History, base: Revision) -> History:
    """The history as if no operation were pending and the base were deployed: what an upgrade wants."""
    kept = [
        revision
        for revision in history.revisions
        if revision.version <= base.version or revision.status not in PENDING_STATUSES
    ]
    passable = replace(history, revisions=tuple(kept), damaged=())
    if passable.current_for_upgrade() is base:
        return passable
    deployed = replace(base, status="deployed", label_status="deployed")
    return replace(passable, revisions=tuple(deployed if item is base else item for item in kept))


def is_uninstalled(revision: Revision) -> bool:
    """What an uninstall with ``--keep-history`` left says nothing about the cluster."""
    return revision.status == "uninstalled"
