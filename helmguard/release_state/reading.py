"""Reading what a release's state is told from, and the drift it has."""

from __future__ import annotations

import msgspec

from helmguard.errors import ManifestError
from helmguard.model.plan import Plan
from helmguard.model.release import Revision
from helmguard.planner.drift_base import base_revision
from helmguard.planner.drift_online import drift_inputs_of
from helmguard.planner.drift_plan import make_drift_plan
from helmguard.planner.drift_reading import wanted_of
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.live_reading import LiveObjects, Wanted, read_live_objects, wanted_objects
from helmguard.planner.session import Report, Session


class Seen(msgspec.Struct, frozen=True):
    """``drift`` is the plan of an upgrade that proposes no change; ``now`` is when all was read."""

    session: Session
    inputs: PlanInputs
    drift: Plan
    live: LiveObjects
    now: str


def read_seen(session: Session, now: str, report: Report) -> Seen:
    """The live objects of all stored revisions, and the hooks of the last.

    Raises:
        ManifestError: the manifest that the next upgrade would compare with cannot be read.
        ClusterError: the live objects cannot be read.
    """
    history = session.history
    base = base_revision(history)
    assert base is not None
    report("reading live objects")
    wanted = wanted_of(history, base, session.discovery) | _hooks_of(history.last(), session)
    live = read_live_objects(session.connection, session.discovery, wanted)
    inputs = drift_inputs_of(session, base, live)
    return Seen(session, inputs, make_drift_plan(inputs, base), live, now)


def _hooks_of(revision: Revision | None, session: Session) -> Wanted:
    """The hooks' objects; none where one cannot be read."""
    if revision is None:
        return {}
    try:
        return wanted_objects("", revision.hooks, session.namespace, session.discovery)
    except ManifestError:
        return {}
