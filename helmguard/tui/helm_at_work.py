"""One run of helm, in a thread that no screen ends: here alone the interface lets anything be changed."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Sequence

import msgspec

from helmguard.errors import HelmguardError, InterruptedByUserError, UsageError
from helmguard.execute import acted
from helmguard.execute.approval import Question
from helmguard.execute.carry_out import Outcome, VerifyOptions
from helmguard.execute.gate import Stop
from helmguard.execute.interruption import Interruption
from helmguard.execute.told_once import ToldOnce
from helmguard.model.plan_difference import PlanDifference
from helmguard.model.verification import Rollout
from helmguard.report.exit_code import ERROR, FINDINGS
from helmguard.report.run_page import PhaseName, PhaseState, RunPhase
from helmguard.tui.options import TuiOptions
from helmguard.tui.sources.execution import Run
from helmguard.tui.sources.source import Planned
from helmguard.tui.work import in_words

_LOOK_SECONDS = 0.05


class ToldOfRun(msgspec.Struct, frozen=True):
    """One line, masked where it is shown: ``who`` did ``text``, so many seconds after the beginning."""

    who: str
    text: str
    seconds: float


class HelmAtWork:
    """`stopped`, `question` and `declined` or `start` come in this order, off the event loop.

    ``told`` only grows. ``end`` is None while it goes on; what came of it, why helm was not let run, or the
    error that kept it from being started, afterwards.
    """

    def __init__(
        self, options: TuiOptions, planned: Planned, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Raises:
        UsageError: this is review mode.
        HelmguardError: the audit log cannot be written.
        """
        if not options.allow_changes:
            raise UsageError(
                "review mode: nothing can be changed",
                remedy="Start helmguard tui with --allow-changes to let helm run what you approve.",
            )
        self.planned = planned
        self.told: list[ToldOfRun] = []
        self.rollouts: Sequence[Rollout] = ()
        self.end: Outcome | Stop | HelmguardError | None = None
        self._run = Run(options.audit_log, VerifyOptions(options.verify_seconds, options.test_pod))
        self._verify_seconds = options.verify_seconds
        self._interruption = Interruption()
        self._clock = clock
        self._begun = 0.0
        self._phase: PhaseName = "plan"
        self._began: dict[PhaseName, float] = {}
        self._ended: dict[PhaseName, float] = {}
        self._step = ""
        self._thread: threading.Thread | None = None

    def stopped(self, stale: Sequence[PlanDifference] = ()) -> Stop | None:
        """As `Run.stopped`."""
        return self._run.stopped(self.planned, stale)

    def question(self) -> Question:
        """As `Run.question`."""
        return self._run.question(self.planned)

    def declined(self) -> None:
        """As `Run.declined`."""
        self._run.declined(self.planned)

    def start(self) -> None:
        """Begin; returns at once."""
        self._begun = self._clock()
        self._began["plan"] = self._begun
        self._thread = threading.Thread(target=self._go, daemon=True, name="helmguard-run")
        self._thread.start()

    @property
    def is_going(self) -> bool:
        """Whether it has begun and not ended."""
        return self._thread is not None and self.end is None

    @property
    def phase(self) -> PhaseName:
        """Where it is."""
        return self._phase

    @property
    def is_rollback(self) -> bool:
        """Whether it is one."""
        return self.planned.plan.operation == "rollback"

    @property
    def asked_to_stop(self) -> int:
        """How often."""
        return self._interruption.asked

    @property
    def exit_code(self) -> int:
        """As ``helmguard upgrade`` ends; 1 where nothing came of it."""
        if isinstance(self.end, Outcome):
            return self.end.exit_code
        if isinstance(self.end, InterruptedByUserError):
            return self._interruption.exit_code
        if isinstance(self.end, HelmguardError):
            return self.end.exit_code
        return FINDINGS if isinstance(self.end, Stop) else ERROR

    def ask_to_stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """Once it stops an upgrade or the verification, twice it kills helm."""
        self._interruption.ask(number)

    def all_told(self) -> None:
        """What came of it is on the screen."""
        self._run.told()

    def verified_again(self, outcome: Outcome, progress: Callable[[str], None]) -> Outcome:
        """As `Run.verified_again`, off the event loop; it is the new `end`."""
        self.end = self._run.verified_again(self.planned, outcome, progress)
        return self.end

    def wait_unseen(self, number: signal.Signals) -> None:
        """Until helm has come to its own end and that is recorded; nothing else is waited for."""
        while self.is_going:
            if not acted.is_running() and not self._interruption.asked:
                self._interruption.ask(number)
            time.sleep(_LOOK_SECONDS)

    def phases(self) -> list[RunPhase]:
        """How far it is."""
        names: tuple[PhaseName, ...] = ("plan", "helm", "verification")
        return [self._phase_of(name) for name in names]

    def _go(self) -> None:
        log = ToldOnce(self._tell, self._step_of_run, self._take_rollouts)
        try:
            end: Outcome | Stop | HelmguardError = self._run.start(
                self.planned, self._report, log.watcher(), self._interruption
            )
        except Exception as error:
            end = in_words(error)
        with contextlib.suppress(Exception):
            self.planned.close()
        self._ended[self._phase] = self._clock()
        self.end = end

    def _report(self, text: str) -> None:
        if self._interruption.asked:
            raise InterruptedByUserError("interrupted before helm was started; nothing was changed")
        self._step = text

    def _step_of_run(self, text: str) -> None:
        if self._phase == "plan":
            self._go_on("helm")
        elif self._phase == "helm" and acted.status_command() and not acted.is_running():
            self._go_on("verification")
        self._step = text

    def _go_on(self, phase: PhaseName) -> None:
        self._ended[self._phase] = self._began[phase] = self._clock()
        self._phase = phase

    def _tell(self, who: str, text: str) -> None:
        self.told.append(ToldOfRun(who, text, self._clock() - self._begun))

    def _take_rollouts(self, rollouts: Sequence[Rollout]) -> None:
        self.rollouts = tuple(rollouts)

    def _phase_of(self, name: PhaseName) -> RunPhase:
        begun = self._began.get(name)
        if begun is None:
            return RunPhase(name, "not yet" if self.end is None else "not run")
        seconds = self._ended.get(name, self._clock()) - begun
        going = name == self._phase and self.end is None
        most = self._verify_seconds if name == "verification" else None
        return RunPhase(name, self._state_of(name), max(0.0, seconds), self._step if going else "", most)

    def _state_of(self, name: PhaseName) -> PhaseState:
        if name != self._phase:
            return "done"
        if self.end is None:
            return "stopping" if self._interruption.asked else "running"
        if isinstance(self.end, Stop):
            return "refused"
        if not isinstance(self.end, Outcome):
            return "failed"
        if self.end.execution.end != "succeeded":
            return self.end.execution.end
        verification = self.end.verification
        if verification is None and self._interruption.asked:
            return "stopped"
        return "done" if verification is not None and verification.ok else "failed"
