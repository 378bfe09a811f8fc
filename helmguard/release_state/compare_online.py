"""A stored revision of a release in the cluster, beside another one or beside what is live."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from helmguard.model.plan import Plan
from helmguard.planner.drift_online import drift_in
from helmguard.planner.missing_release import missing_release
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import Report, Session, open_session
from helmguard.release_state.compare_revisions import compare_revisions, configs_of, named_revision

Live = Literal["live"]
LIVE: Final = "live"


class CompareRequest(msgspec.Struct, frozen=True):
    """``after`` is 0 for the last revision, ``live`` for what is in the cluster."""

    plan: PlanRequest
    before: int
    after: int | Live = 0


def compare_online(request: CompareRequest, report: Report = lambda _: None) -> Plan:
    """Read the records, and with them the live objects where these are asked for.

    Raises:
        ReleaseNotFoundError: there is no such release.
        ReleaseError: a revision is not stored, or its record cannot be read.
        HelmguardError: what it needs cannot be had; the message says what and what to do.
    """
    session = open_session(request.plan, report)
    if not session.history.revisions:
        raise missing_release(session, "Restore a record from a backup of the cluster.")
    if request.after == LIVE:
        return drift_from(session, request.before, report)
    return compare_in(session, request.before, request.after or session.history.revisions[-1].version)


def compare_in(session: Session, before: int, after: int) -> Plan:
    """Two revisions of the session's release; reads nothing."""
    history = session.history
    return compare_revisions(
        named_revision(history, before),
        named_revision(history, after),
        namespace=session.namespace,
        discovery=session.discovery,
        helm=session.helm.version,
        configs=configs_of(history),
    )


def drift_from(session: Session, version: int, report: Report = lambda _: None) -> Plan:
    """The live objects beside one stored revision, whichever is the deployed one."""
    return drift_in(session, report, named_revision(session.history, version))
