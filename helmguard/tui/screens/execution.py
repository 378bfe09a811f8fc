"""Helm at work on an approved plan: what it does, how far the workloads are, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Footer, Static

from helmguard.errors import HelmguardError
from helmguard.execute.acted import status_command, with_what_was_done
from helmguard.execute.carry_out import Outcome
from helmguard.execute.gate import Stop
from helmguard.masking.masker import Masker
from helmguard.model.verification import Rollout
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.run_page import outcome_lines, phase_lines, stop_words
from helmguard.report.styles import EMPTY, Line, Span
from helmguard.tui.dialogs.approve import stop_lines
from helmguard.tui.helm_at_work import HelmAtWork
from helmguard.tui.screens.release import ReleaseScreen
from helmguard.tui.screens.releases import ReleasesScreen
from helmguard.tui.sources.source import Planned
from helmguard.tui.styled import content
from helmguard.tui.widgets.rollout_list import RolloutList
from helmguard.tui.widgets.run_log import RunLog
from helmguard.tui.work import Report, WorkScreen

if TYPE_CHECKING:
    from helmguard.tui.screens.text import TextLayout

_LOOK_SECONDS = 0.2
_VERIFY = "verify"


class ExecutionScreen(WorkScreen[None]):
    """Begins at once; ``planned`` has been approved, and is closed here."""

    DEFAULT_CSS = """
    ExecutionScreen #phases { height: auto; padding: 0 2; background: $panel; }
    ExecutionScreen #remark { height: auto; padding: 0 2; display: none; }
    ExecutionScreen #remark.-some { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "s,ctrl+c",
            "stop",
            "Stop",
            priority=True,
            key_display="s",
            tooltip="Ask helm to stop; a second time kills it",
        ),
        Binding("r", "roll_back", "Roll back", tooltip="Plan the way back to the revision before"),
        Binding("i", "status", "Status", tooltip="The state of the release now, and the ways out of it"),
        Binding("v", "verify", "Verify again", tooltip="Compare what is there with the plan once more"),
        Binding("l", "log", "Log", tooltip="What helm and the rollouts told, or what came of it"),
        Binding("c", "copy", "Copy", tooltip="Copy what is shown"),
        Binding("escape", "back", "Back", tooltip="To the release, read anew; a question while helm runs"),
    ]

    def __init__(self, planned: Planned) -> None:
        super().__init__()
        self.title = f"run {planned.plan.release.name}"
        self._planned = planned
        self._run: HelmAtWork | None = None
        self._refusal: HelmguardError | None = None
        self._ended: Outcome | Stop | HelmguardError | None = None
        self._shows_log = True
        self._told = 0
        self._rollouts: Sequence[Rollout] = ()
        self._timer: Timer | None = None
        self._masker = Masker.for_plan(planned.plan)

    def compose(self) -> ComposeResult:
        """The phases, what is told, the workloads."""
        yield Static(id="phases")
        yield Static(id="remark")
        yield RunLog(id="log")
        yield RolloutList(id="rollouts")
        yield Footer()

    def on_mount(self) -> None:
        """Begin."""
        self.query_one(RunLog).focus()
        try:
            run = HelmAtWork(self.program.options, self._planned)
            self.program.begin(run)
        except HelmguardError as error:
            self._end(error)
            return
        self._run = run
        self._look()
        self._timer = self.set_interval(_LOOK_SECONDS, self._look)

    def on_resize(self, _: events.Resize) -> None:
        """Another width."""
        self._show_phases()

    @property
    def ended(self) -> Outcome | Stop | HelmguardError | None:
        """What came of it, once that is shown."""
        return self._ended

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        """Keys that would do nothing are not shown."""
        if action == "stop":
            return self._ended is None
        if action in ("roll_back", "verify", "log"):
            return isinstance(self._ended, Outcome)
        if action in ("status", "copy"):
            return self._ended is not None and self._run is not None
        return True

    # While it goes on

    def _look(self) -> None:
        run = self._run
        if run is None or self._ended is not None:
            return
        end, told = run.end, len(run.told)
        if told > self._told:
            self._told = told
            self.query_one(RunLog).show_told(run.told[:told], self._write)
        if run.rollouts is not self._rollouts:
            self._rollouts = run.rollouts
            self.query_one(RolloutList).show_rollouts(self._rollouts, self._write)
        self._show_phases()
        if end is not None:
            self._end(end)
            self.program.helm_ended(run)

    def _show_phases(self) -> None:
        if self._run is not None:
            lines = phase_lines(self._run.phases(), self._write(self.size.width - 4))
            self.query_one("#phases", Static).update(content(lines))

    def action_stop(self) -> None:
        """Once asks helm to stop, twice kills it."""
        run = self._run
        if run is None or not run.is_going:
            return
        words = stop_words(run.phase, is_rollback=run.is_rollback, asked=run.asked_to_stop)
        run.ask_to_stop()
        self._say(f"Asked to stop: {words}")
        self._show_phases()

    # What came of it

    def _end(self, end: Outcome | Stop | HelmguardError) -> None:
        self._ended = end
        if self._timer is not None:
            self._timer.stop()
        self._say("")
        self.query_one(RolloutList).display = False
        self._show_phases()
        self._show_end()
        self.refresh_bindings()

    def _show_end(self) -> None:
        self._shows_log = False
        self.query_one(RunLog).show_lines(lambda pen: list(self._end_lines(pen)), self._write)

    def _end_lines(self, pen: Pen) -> Iterator[Line]:
        end, plan = self._ended, self._planned.plan
        if isinstance(end, Stop):
            yield from stop_lines(end, self._planned, pen)
        elif isinstance(end, HelmguardError):
            yield EMPTY
            yield from wrapped(
                [Span("Error: ", "bad"), pen.prose(with_what_was_done(end.message))], pen.page.columns
            )
            remedy = status_command() or end.remedy
            yield from wrapped([pen.prose(remedy)], pen.page.columns)
        elif end is not None:
            if end.audit_error:
                yield from wrapped([pen.prose(f"Warning: {end.audit_error}", "warning")], pen.page.columns)
            yield from outcome_lines(
                plan, end.execution, end.verification, end.unverified, end.exit_code, pen
            )

    def action_log(self) -> None:
        """What was told, or what came of it."""
        if self._shows_log:
            self._show_end()
            return
        self._shows_log = True
        assert self._run is not None
        self.query_one(RunLog).show_told(self._run.told, self._write)

    def action_copy(self) -> None:
        """What is shown, as text, masked."""
        rows = self.query_one(RunLog).rows
        lines = ("".join(span.text for span in line).rstrip() for row in rows for line in row.lines)
        self.app.copy_to_clipboard("\n".join(lines))
        self.notify("Copied: the page as it is shown.")

    def action_roll_back(self) -> None:
        """Plan the way back to the revision before."""
        from helmguard.tui.plan_form import PlanForm
        from helmguard.tui.screens.plan import PlanScreen

        release = self._planned.plan.release
        if release.from_revision is None:
            self.notify("There is no revision before this one to go back to.", severity="warning")
            return
        form = PlanForm(release.name, release.namespace, rollback_to=release.from_revision)
        self.app.push_screen(PlanScreen(form))

    def action_status(self) -> None:
        """The release's state, read anew, and the ways out of it."""
        from helmguard.tui.release_texts import read_status
        from helmguard.tui.screens.text import TextScreen

        release, program = self._planned.plan.release, self.program

        def read(report: Report) -> TextLayout:
            opened = program.source.open_release(release.namespace, release.name, report)
            return read_status(opened, False, program, report)

        self.app.push_screen(TextScreen("status", read, "reading the status"))

    def action_verify(self) -> None:
        """Compare what is there with the plan once more."""
        run, outcome = self._run, self._ended
        if run is None or not isinstance(outcome, Outcome):
            return
        if outcome.execution.end != "succeeded":
            self.notify("Helm did not succeed: i shows the state that the release is in.", severity="warning")
            return

        def verify(report: Report) -> Outcome:
            def progress(text: str) -> None:
                report(text)
                self.show_if_wanted(self._say, f"verifying again: {text}  (esc cancels)")

            return run.verified_again(outcome, progress)

        self._say("verifying again  (esc cancels)")
        self.work(verify, self._verified, group=_VERIFY, failed=self._not_verified)

    def _verified(self, outcome: Outcome) -> None:
        self._say("")
        self._ended = outcome
        assert self._run is not None
        self.program.helm_ended(self._run)
        self._show_phases()
        self._show_end()

    def _not_verified(self, error: HelmguardError) -> None:
        self._say(error.message)

    def action_back(self) -> None:
        """A question while helm runs; afterwards to the release, or to the plan where nothing was done."""
        if self._run is not None and self._run.is_going:
            self.program.action_leave()
            return
        if self.cancel_work(_VERIFY):
            self._say("")
            return
        from helmguard.tui.screens.plan import PlanScreen

        done = isinstance(self._ended, Outcome)
        self.app.pop_screen()
        while (
            done
            and isinstance(self.app.screen, ExecutionScreen | PlanScreen)
            and len(self.app.screen_stack) > 2
        ):
            self.app.pop_screen()
        below = self.app.screen
        # What was planned has been used up, and what was read is not so any more.
        if isinstance(below, PlanScreen):
            below.action_again()
        elif done and isinstance(below, ReleaseScreen | ReleasesScreen):
            below.action_reload()
        for screen in self.app.screen_stack:
            if isinstance(screen, ReleasesScreen) and screen is not below:
                screen.is_stale = done

    def _say(self, text: str) -> None:
        """A line above the log, empty for none."""
        line = self.query_one("#remark", Static)
        line.update(
            content(wrapped([self._write(self.size.width - 4).prose(text, "warning")], self.size.width - 4))
        )
        line.set_class(bool(text), "-some")

    def _write(self, width: int) -> Pen:
        return self.program.pen(self._masker, width)
