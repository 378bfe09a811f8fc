"""The error for a release without a revision to start from."""

from __future__ import annotations

from helmguard.cluster.release_list import release_not_found
from helmguard.errors import HelmguardError, ReleaseError
from helmguard.planner.session import Session


def missing_release(session: Session, remedy: str) -> HelmguardError:
    """It is not there, or none of its records can be read; ``remedy`` is for the latter."""
    history = session.history
    if not history.damaged:
        return release_not_found(session.connection, session.namespace, session.request.release)
    records = "; ".join(f"{record.storage_name}: {record.why}" for record in history.damaged)
    return ReleaseError(f"no record of release {history.name!r} can be read: {records}", remedy=remedy)
