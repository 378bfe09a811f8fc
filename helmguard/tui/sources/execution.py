"""Approving and executing what was planned: the gate of the command line, called by the interface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from helmguard.errors import HelmguardError
from helmguard.execute.acted import all_told
from helmguard.execute.approval import (
    Question,
    acceptances_in,
    accepted,
    not_accepted,
    question,
    read_acceptance,
)
from helmguard.execute.audit_log import AuditLog, decision
from helmguard.execute.carry_out import Outcome, VerifyOptions, Watcher, carry_out
from helmguard.execute.gate import Stop, approved, stopped
from helmguard.execute.operation import Operation
from helmguard.masking.masker import Masker
from helmguard.model.execution import Acceptance
from helmguard.model.plan_difference import PlanDifference
from helmguard.report.execution_code import execution_code
from helmguard.tui.sources.source import Planned

if TYPE_CHECKING:
    from helmguard.execute.interruption import Interruption
    from helmguard.planner.session import Report


def waive(planned: Planned, acceptance: Acceptance) -> Planned:
    """The plan with the findings of this rule waived for one run; in place of an earlier reason.

    Raises:
        UsageError: there is no reason.
    """
    others = [each for each in acceptances_in(planned.plan) if each.rule != acceptance.rule]
    acceptances = [*others, read_acceptance(f"{acceptance.rule}={acceptance.reason}")]
    plan, operation = not_accepted(planned.plan), planned.operation
    if operation is not None:
        operation = Operation.of(plan, operation.request, operation.session, acceptances)
    return replace(planned, plan=accepted(plan, acceptances), operation=operation)


class Run:
    """What the interface lets helm do, with one audit log. Every method may take seconds, in any thread.

    First `stopped`: where it gives a `Stop`, that is the end. Else the user is asked `question`, and what
    follows is `declined` or `start`.
    """

    def __init__(self, audit_log: str = "", options: VerifyOptions | None = None) -> None:
        """``audit_log`` is empty for none.

        Raises:
            HelmguardError: the audit log cannot be written.
        """
        self._audit = AuditLog(audit_log)
        self._options = options or VerifyOptions()
        self._ran: Operation | None = None

    def stopped(self, planned: Planned, stale: Sequence[PlanDifference] = ()) -> Stop | None:
        """What keeps helm from being run, None for nothing; recorded in the audit log.

        ``stale`` is what no longer holds of a saved plan (`SavedPlanSource.stale`).

        Raises:
            HelmguardError: the plan cannot be executed at all, or the audit log cannot be written.
        """
        operation = _operation(planned)
        stop = stopped(operation, stale)
        if stop is not None:
            self._record(operation, stop.outcome)
        return stop

    def question(self, planned: Planned) -> Question:
        """What the user has to type, at once."""
        return question(planned.plan)

    def declined(self, planned: Planned) -> None:
        """The user did not type it.

        Raises:
            HelmguardError: the audit log cannot be written.
        """
        self._record(_operation(planned), "declined")

    def start(
        self, planned: Planned, report: Report, watcher: Watcher, interruption: Interruption
    ) -> Outcome | Stop:
        """Plan again, and where that comes out the same, run helm, read back and verify.

        ``report`` gets what is done until helm is started, and may raise to cancel it; from then on
        ``watcher`` gets it, and only ``interruption`` stops it. Call `told` once the outcome is shown.

        Raises:
            HelmguardError: something kept helm from being started; nothing was changed.
        """
        operation = _operation(planned)
        again = approved(operation, operation.acceptances, report)
        if isinstance(again, Stop):
            self._record(operation, again.outcome)
            return again
        report("starting helm")
        self._ran = again
        masker = Masker.for_plan(again.plan)
        return carry_out(again, self._audit, masker, self._options, watcher, interruption)

    def verified_again(self, planned: Planned, outcome: Outcome, progress: Callable[[str], None]) -> Outcome:
        """The same outcome with the verification as it comes out now; what ``progress`` raises cancels it.

        Raises:
            HelmguardError: the cluster does not answer.
        """
        from helmguard.verify.verify_plan import verify_plan

        operation = self._ran or _operation(planned)
        verification = verify_plan(
            operation.plan,
            operation.session.connection,
            started=outcome.execution.started,
            timeout=self._options.seconds,
            test_pod=self._options.test_pod,
            packs=operation.request.gate.packs,
            progress=progress,
        )
        code = execution_code(outcome.execution, verification)
        return replace(outcome, verification=verification, unverified="", exit_code=code)

    def told(self) -> None:
        """The outcome has been shown: the program may end without a word about it."""
        all_told()

    def _record(self, operation: Operation, event: str) -> None:
        self._audit.write(decision(operation, event, Masker.for_plan(operation.plan)))


def _operation(planned: Planned) -> Operation:
    if planned.operation is None:
        raise HelmguardError(
            "this plan cannot be executed: it was made without the cluster",
            remedy="Open the interface with the cluster: helmguard tui RELEASE --allow-changes.",
        )
    return planned.operation
