"""Does the plan still hold: made again from the very same chart and values, it must be the same plan."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.execute.operation import Operation
from helmguard.model.execution import Acceptance
from helmguard.model.plan_difference import PlanDifference
from helmguard.planner.online import plan_with_session
from helmguard.planner.session import Report
from helmguard.report.plan_json import plan_to_dict
from helmguard.saved_plan.staleness import differences


def planned_again(
    operation: Operation, acceptances: Sequence[Acceptance], report: Report
) -> tuple[Operation, tuple[PlanDifference, ...]]:
    """The operation as it is now, and in what it is another than the one that was approved.

    Raises:
        HelmguardError: it cannot be planned any more.
    """
    plan, session = plan_with_session(operation.request, report)
    again = Operation.of(plan, operation.request, session, acceptances)
    return again, differences(plan_to_dict(operation.plan), plan_to_dict(again.plan))
