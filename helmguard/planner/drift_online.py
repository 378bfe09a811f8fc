"""The drift of one release, against a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helmguard.model.plan import Plan
from helmguard.planner.missing_release import missing_release
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import Report, Session, open_session

if TYPE_CHECKING:
    from helmguard.model.release import Revision
    from helmguard.planner.inputs import PlanInputs
    from helmguard.planner.live_reading import LiveObjects


def drift_online(request: PlanRequest, report: Report = lambda _: None) -> Plan:
    """Read the release's stored revisions and live objects, and compare.

    Raises:
        ReleaseNotFoundError: there is no such release.
        ReleaseError: none of its records can be read.
        HelmguardError: what it needs cannot be had; the message says what and what to do.
    """
    return drift_in(open_session(request, report, meanwhile=import_the_rest), report)


def drift_in(session: Session, report: Report = lambda _: None, base: Revision | None = None) -> Plan:
    """The same in a session that is open already; ``base``: the revision to compare with, None for Helm's."""
    from helmguard.planner.drift_base import base_revision
    from helmguard.planner.drift_plan import make_drift_plan
    from helmguard.planner.drift_reading import read_for, wanted_of

    history = session.history
    base = base or base_revision(history)
    if base is None:
        raise missing_release(session, "Restore a record from a backup of the cluster.")
    report("reading live objects")
    live = read_for(session.connection, session.discovery, [wanted_of(history, base, session.discovery)])
    return make_drift_plan(drift_inputs_of(session, base, live), base)


def drift_inputs_of(session: Session, base: Revision, live: LiveObjects) -> PlanInputs:
    """What the drift of the session's release is computed from; ``base`` is the revision to compare with."""
    from helmguard.planner.apply_options import apply_options
    from helmguard.planner.drift_plan import drift_inputs

    return drift_inputs(
        history=session.history,
        base=base,
        helm=session.helm.version,
        live=live.states,
        options=apply_options(session.options),
        discovery=session.discovery,
        crds=live.crds,
        gate=session.request.gate,
        unknown=live.unknown,
    )


def import_the_rest() -> None:
    """What is needed for the answers only."""
    import helmguard.planner.apply_options
    import helmguard.planner.drift_plan
    import helmguard.planner.drift_reading  # noqa: F401 - the imports are the work
