"""A planned operation, ready to be let go."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.execute.approval import accepted, used
from helmguard.model.execution import Acceptance
from helmguard.model.plan import Plan
from helmguard.model.unshown import Unshown
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import Session


class Operation(Unshown, frozen=True):
    """The plan, the request it was made for (frozen: chart and values as they were read), and the session.

    ``acceptances`` are the findings that were accepted on the command line.
    """

    plan: Plan
    request: PlanRequest
    session: Session
    acceptances: tuple[Acceptance, ...] = ()

    @classmethod
    def of(
        cls, plan: Plan, request: PlanRequest, session: Session, acceptances: Sequence[Acceptance]
    ) -> Operation:
        """With these findings accepted; the plan is as it was judged."""
        plan = accepted(plan, acceptances)
        return cls(plan, request, session, used(plan, acceptances))

    @property
    def is_rollback(self) -> bool:
        """Whether it is one."""
        return self.plan.operation == "rollback"

    @property
    def rollback_to(self) -> int:
        """The revision that a rollback brings back."""
        from helmguard.planner.rollback_inputs import rollback_target

        return rollback_target(self.session.history, self.request.rollback_to)
