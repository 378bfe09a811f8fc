"""Gathering what a rollback's plan is computed from: two stored revisions and the live state."""

from __future__ import annotations

from helmguard.model.helm_version import HelmVersion
from helmguard.model.plan import ChartRef
from helmguard.model.release import History, Revision
from helmguard.model.surroundings import RecordSize
from helmguard.planner.apply_options import apply_options
from helmguard.planner.failed_revisions import failed_revisions
from helmguard.planner.inputs import NewRevision, PlanInputs
from helmguard.planner.live_reading import (
    merge_live,
    read_live_objects,
    wanted_objects,
    wanted_of_revisions,
)
from helmguard.planner.missing_release import missing_release
from helmguard.planner.record_size import LIMIT, record_of_revision, record_size
from helmguard.planner.session import Report, Session
from helmguard.planner.stored_values import stored_values


def rollback_inputs(session: Session, report: Report) -> PlanInputs:
    """Everything for the plan of ``helm rollback``, which renders nothing: the target's manifest comes back.

    Raises:
        ReleaseNotFoundError: there is no such release.
        HelmguardError: the cluster cannot be read.
    """
    history = session.history
    last = history.last()
    if last is None:
        remedy = "Restore a record from a backup of the cluster; a rollback needs at least one."
        raise missing_release(session, remedy)
    number = rollback_target(history, session.request.rollback_to)
    target = history.get(number)
    report("reading live objects")
    before = wanted_of_revisions(failed_revisions(history, last), session.namespace, session.discovery)
    before |= wanted_objects(last.manifest, last.hooks, session.namespace, session.discovery)
    live = read_live_objects(session.connection, session.discovery, before)
    if target is not None:
        wanted = wanted_objects(target.manifest, target.hooks, session.namespace, session.discovery)
        missing = {key: version for key, version in wanted.items() if live.api_versions.get(key) != version}
        if missing:
            live = merge_live(live, read_live_objects(session.connection, session.discovery, missing))
    return PlanInputs(
        operation="rollback",
        release=session.request.release,
        namespace=session.namespace,
        helm=session.helm.version,
        options=apply_options(session.options),
        history=history,
        new=stored_revision(target, number),
        new_chart=stored_chart(target or last),
        values=stored_values(last, target, session.helm.version),
        live=live.states,
        crds=live.crds,
        discovery=session.discovery,
        rollback_to=number,
        record=stored_record_size(target, session.helm.version, session.connection.driver),
        config=target.config if target else None,
        gate=session.request.gate,
        unknown=live.unknown,
    )


def rollback_target(history: History, asked_for: int) -> int:
    """The revision ``helm rollback`` goes to: the number given, else the one before the last."""
    last = history.last()
    return asked_for or (last.version - 1 if last else 0)


def stored_revision(target: Revision | None, number: int) -> NewRevision:
    """What comes back, or Helm's text where there is no such revision."""
    if target is None:
        return NewRevision(error=f"release has no {number} version", rendered_by="stored revision")
    return NewRevision(
        manifest=target.manifest,
        hooks=target.hooks,
        rendered_by="stored revision",
        why="a rollback renders nothing: it brings back the manifest that the revision stored",
    )


def stored_record_size(target: Revision | None, helm: HelmVersion, driver: str = "") -> RecordSize:
    """The size of the new revision's record: all of the target's goes into it."""
    contents = record_of_revision(target) if target is not None else None
    if contents is None:
        return RecordSize(None, LIMIT, why="the target's chart is not at hand as it was stored")
    return record_size(contents, helm, driver)


def stored_chart(revision: Revision) -> ChartRef:
    """The chart of a revision."""
    return ChartRef(
        revision.chart_name, revision.chart_version, revision.app_version, f"revision {revision.version}"
    )
