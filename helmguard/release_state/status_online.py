"""The state of one release, read from the cluster."""

from __future__ import annotations

import os

import msgspec

from helmguard.cluster.release_list import release_not_found
from helmguard.model.plan import DryRunMode
from helmguard.model.release_state import ReleaseState, WayCheck
from helmguard.planner.clock import clock_time
from helmguard.planner.request import PlanRequest
from helmguard.planner.rules_meanwhile import read_meanwhile
from helmguard.planner.session import Report, Session, open_session
from helmguard.release_state.condition import exit_code_of
from helmguard.release_state.record_remarks import MAX_HISTORY, kept_revisions, record_growth, record_remarks


class StatusRequest(msgspec.Struct, frozen=True):
    """``plan`` says which release, cluster, helm and gate. ``dry_run``: whether the API server is asked about
    the ways out. ``now`` is the time to measure ages from, empty for the machine's clock."""

    plan: PlanRequest
    dry_run: DryRunMode = "auto"
    now: str = ""


def status_online(request: StatusRequest, report: Report = lambda _: None) -> ReleaseState:
    """Read the records and the live objects, explain the state, and check the ways out of it.

    Raises:
        ReleaseNotFoundError: there is no such release.
        HelmguardError: what it needs cannot be had; the message says what and what to do.
    """
    now = request.now or clock_time()
    with read_meanwhile(request.plan.gate.packs):
        session = open_session(request.plan, report, meanwhile=_import_the_rest)
        history = session.history
        if history.last() is None:
            if not history.damaged:
                raise release_not_found(session.connection, session.namespace, request.plan.release)
            return _unreadable(session)
        from helmguard.release_state.reading import read_seen
        from helmguard.release_state.seen_state import state_of_seen

        return state_of_seen(read_seen(session, now, report), request.dry_run, history_limit(), report)


def _import_the_rest() -> None:
    """What is needed for the answers only."""
    import helmguard.release_state.reading
    import helmguard.release_state.seen_state  # noqa: F401 - the imports are the work


def _unreadable(session: Session) -> ReleaseState:
    from helmguard.release_state.candidates import restore
    from helmguard.release_state.check_ways import way_out
    from helmguard.release_state.story import summary_of

    history = session.history
    kept = kept_revisions(history, history_limit())
    ways = [
        way_out(candidate, WayCheck("not checked", candidate.checkable), recommended=False)
        for candidate in restore("unreadable", history)
    ]
    return ReleaseState(
        name=history.name,
        namespace=session.namespace,
        helm=str(session.helm.version),
        driver=session.connection.driver,
        condition="unreadable",
        summary=summary_of("unreadable", history, None),
        story=(),
        exit_code=exit_code_of("unreadable", attention=True),
        remarks=tuple(record_remarks(history, record_growth(history, session.connection.driver), kept)),
        kept=kept,
        ways_out=tuple(ways),
    )


def history_limit() -> int:
    """What ``--history-max`` is without the flag: ``HELM_MAX_HISTORY``, else ten."""
    text = os.environ.get("HELM_MAX_HISTORY", "")
    return int(text) if text.lstrip("-").isdecimal() else MAX_HISTORY
