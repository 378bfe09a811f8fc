"""The history of one release, read from the cluster."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from helmguard.cluster.release_list import release_not_found
from helmguard.model.revision_changes import ReleaseHistory
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import Report, Session, open_session


class HistoryRequest(msgspec.Struct, frozen=True):
    """``most``: how many revisions to show, the last ones; 0 for all."""

    plan: PlanRequest
    most: int = 0


def history_online(request: HistoryRequest, report: Report = lambda _: None) -> ReleaseHistory:
    """Read all records, and compare each with the one before.

    Raises:
        ReleaseNotFoundError: there is no such release.
        HelmguardError: the records cannot be read.
    """
    found = history_in(open_session(request.plan, report, meanwhile=_import_the_rest), report)
    entries = found.entries
    shown = entries[-request.most :] if request.most else entries
    return replace(found, entries=shown, left_out=len(entries) - len(shown))


def history_in(session: Session, report: Report = lambda _: None) -> ReleaseHistory:
    """The same in a session that is open already, all revisions.

    Raises:
        ReleaseNotFoundError: there is no such release.
    """
    history = session.history
    if not history.revisions and not history.damaged:
        raise release_not_found(session.connection, session.namespace, session.request.release)
    report("comparing the revisions")
    from helmguard.release_state.history_entries import history_of

    return history_of(history, session.namespace, session.discovery, session.helm.version)


def _import_the_rest() -> None:
    """What is needed for the answers only."""
    import helmguard.release_state.history_entries  # noqa: F401 - the import is the work
