"""Planning against a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from helmguard.cluster.release_list import release_not_found
from helmguard.model.plan import Plan
from helmguard.model.release import History
from helmguard.planner.clock import clock_time
from helmguard.planner.request import PlanRequest
from helmguard.planner.rules_meanwhile import read_meanwhile
from helmguard.planner.session import Report, Session, open_session

if TYPE_CHECKING:
    from helmguard.planner.upgrade_inputs import UpgradeInputs


def plan_online(request: PlanRequest, report: Report = lambda _: None) -> Plan:
    """Read, render, predict, compare and judge.

    Raises:
        HelmguardError: what a plan needs cannot be had; the message says what and what to do.
    """
    return plan_with_session(request, report)[0]


def plan_with_session(
    request: PlanRequest,
    report: Report = lambda _: None,
    look: Callable[[UpgradeInputs], None] = lambda _: None,
) -> tuple[Plan, Session]:
    """The same, and the session that it was made in, to go on with.

    ``look`` gets what an upgrade or install is planned from, while the chart is there.

    Raises:
        HelmguardError: as `plan_online`.
    """
    with read_meanwhile(request.gate.packs):
        session = open_session(request, report, meanwhile=_import_the_rest)
        return _plan(request, session, report, look), session


def _plan(
    request: PlanRequest, session: Session, report: Report, look: Callable[[UpgradeInputs], None]
) -> Plan:
    from helmguard.planner.confirmation import confirm
    from helmguard.planner.explain import explained
    from helmguard.planner.judge_online import judged_online
    from helmguard.planner.upgrade_inputs import upgrade_inputs

    if request.rollback:
        from helmguard.planner.rollback_inputs import rollback_inputs

        inputs = replace(rollback_inputs(session, report), now=clock_time(), nodes=request.nodes)
        confirmed = confirm(inputs, session.connection, request.server_dry_run, report)
        return judged_online(confirmed.inputs, confirmed.prediction, session, report)
    with upgrade_inputs(session, is_install(session), report) as gathered:
        look(gathered)
        inputs = replace(explained(gathered, report), now=clock_time(), nodes=request.nodes)
        confirmed = confirm(inputs, session.connection, request.server_dry_run, report)
        return judged_online(confirmed.inputs, confirmed.prediction, session, report)


def _import_the_rest() -> None:
    """Half of the program is not needed to ask helm and the cluster, only for their answers."""
    import helmguard.planner.confirmation
    import helmguard.planner.explain
    import helmguard.planner.upgrade_inputs  # noqa: F401 - the imports are the work


def is_install(session: Session) -> bool:
    """Whether ``helm upgrade`` of this release would install it.

    Raises:
        ReleaseNotFoundError: there is no such release and ``--install`` was not given.
    """
    last = session.history.last()
    if last is None and not session.history.damaged:
        if session.options.install:
            return True
        error = release_not_found(session.connection, session.namespace, session.request.release)
        error.remedy += "\nTo install it, add --install."
        raise error
    return session.options.install and _is_uninstalled(session.history)


def _is_uninstalled(history: History) -> bool:
    """``upgrade --install`` installs over what an uninstall with ``--keep-history`` left."""
    last = history.last()
    return last is not None and last.status == "uninstalled"
