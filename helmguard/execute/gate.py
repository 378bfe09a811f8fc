"""The gate between a plan and helm: what keeps the operation from going on, before and after it is asked for.

The command line and the terminal interface both pass here, and neither decides anything itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from helmguard.execute.freshness import planned_again
from helmguard.execute.operation import Operation
from helmguard.execute.rights import missing_rights
from helmguard.model.execution import Acceptance, MissingRight
from helmguard.model.plan_difference import PlanDifference
from helmguard.model.unshown import Unshown
from helmguard.planner.session import Report
from helmguard.report.exit_code import is_refused


class Stop(Unshown, frozen=True):
    """Why helm is not let run; nothing was changed.

    ``stale`` is what no longer holds. Where it is ``refused``, ``missing`` are the rights that the user
    lacks; empty where the plan itself says why (findings, a failure that is foreseen, what is unknown).
    """

    outcome: Literal["stale", "refused"]
    stale: tuple[PlanDifference, ...] = ()
    missing: tuple[MissingRight, ...] = ()


def stopped(operation: Operation, stale: Sequence[PlanDifference] = ()) -> Stop | None:
    """What stops the operation before anybody is asked, None for nothing.

    ``stale`` is what differs from the plan that was saved. Where new revisions may be stored is asked of the
    API server; ``fail_on: none`` lets helm find out by itself.
    """
    if stale:
        return Stop("stale", stale=tuple(stale))
    if is_refused(operation.plan):
        return Stop("refused")
    missing = missing_rights(operation) if operation.plan.fail_on != "none" else ()
    return Stop("refused", missing=missing) if missing else None


def approved(operation: Operation, acceptances: Sequence[Acceptance], report: Report) -> Operation | Stop:
    """The operation to let go once the user has said yes: planned again, since that took a while.

    It is the same in all that matters; what does not is compared with afterwards, too.

    Raises:
        HelmguardError: it cannot be planned any more.
    """
    again, moved = planned_again(operation, acceptances, report)
    return Stop("stale", stale=moved) if moved else again
