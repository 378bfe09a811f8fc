"""From an approved operation to a verified one. What the command line and the interface both call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from helmguard.errors import HelmguardError, InterruptedByUserError
from helmguard.execute.audit_log import AuditLog, decision, outcome
from helmguard.execute.interruption import Interruption
from helmguard.execute.operation import Operation
from helmguard.execute.perform import perform, prepared
from helmguard.helm.run_events import RunEvent
from helmguard.masking.masker import Masker
from helmguard.model.execution import Execution
from helmguard.model.verification import Rollout, Verification
from helmguard.report.execution_code import execution_code
from helmguard.verify.baseline import read_baseline
from helmguard.verify.verify_plan import verify_plan


class Watcher(msgspec.Struct, frozen=True):
    """Whom to tell what: ``event`` what helm does, ``say`` what the user must read, ``step`` what is under
    way, ``rollouts`` how far the workloads are."""

    event: Callable[[RunEvent], None] = lambda _: None
    say: Callable[[str], None] = lambda _: None
    step: Callable[[str], None] = lambda _: None
    rollouts: Callable[[Sequence[Rollout]], None] = lambda _: None


class VerifyOptions(msgspec.Struct, frozen=True):
    """``seconds``: how long to wait for rollouts and the packs' steps; ``test_pod``: steps may make a pod."""

    seconds: float = 300.0
    test_pod: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """What came of it. ``unverified`` says why there is no verification, ``audit_error`` why the audit log
    lacks the end."""

    execution: Execution
    verification: Verification | None
    unverified: str
    exit_code: int
    audit_error: str = ""


def carry_out(
    operation: Operation,
    audit: AuditLog,
    masker: Masker,
    options: VerifyOptions,
    watcher: Watcher,
    interruption: Interruption | None = None,
) -> Outcome:
    """Run helm, read back, verify.

    ``interruption`` is for a caller that lets its user stop what runs here in another thread: asked once it
    asks helm to stop, twice it kills helm; asked during the verification it ends that. In the main thread
    Ctrl-C and SIGTERM do the same.

    Raises:
        HelmguardError: something kept helm from being started; nothing was changed.
    """
    interruption = interruption or Interruption()
    watcher.step("looking at the release once more")
    words = prepared(operation)
    session = operation.session
    packs = operation.request.gate.packs
    baseline = read_baseline(session.connection, session.discovery, plan=operation.plan, packs=packs)
    if interruption.asked:
        raise InterruptedByUserError("interrupted before helm was started; nothing was changed")
    audit.write(decision(operation, "started", masker))
    execution = perform(operation, words, interruption, event=watcher.event, say=watcher.say)
    verification, unverified = None, ""
    code = interruption.exit_code if interruption.asked else 0
    if execution.end == "succeeded":
        try:
            verification = verify_plan(
                operation.plan,
                session.connection,
                baseline=baseline,
                started=execution.started,
                timeout=0.0 if interruption.asked else options.seconds,
                test_pod=options.test_pod,
                packs=packs,
                progress=watcher.step,
                on_rollouts=watcher.rollouts,
                sleep=interruption.waiting(),
            )
        except InterruptedByUserError:
            unverified, code = "interrupted", interruption.exit_code
        except HelmguardError as error:
            unverified = error.message
        except KeyboardInterrupt:
            unverified, code = "interrupted", 130
        except SystemExit as end:
            unverified, code = "interrupted", end.code if isinstance(end.code, int) else 1
    code = execution_code(execution, verification, interrupted=code)
    audit_error = ""
    try:
        audit.write(outcome(operation, execution, code, masker))
    except HelmguardError as error:
        audit_error = error.message
    return Outcome(execution, verification, unverified, code, audit_error)
