"""Making a plan in the background and showing it, with the value modes beside it."""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult
from textual.widgets import Footer

from helmguard.errors import HelmguardError
from helmguard.masking.masker import Masker
from helmguard.model.execution import Acceptance
from helmguard.model.plan import Plan
from helmguard.planner.upgrade_values import MODE_FLAGS
from helmguard.report.own_commands import with_own_commands
from helmguard.report.page import Pen
from helmguard.report.plan_title import plan_remark, plan_title
from helmguard.report.styles import Line, Span
from helmguard.tui.kept_plans import KeptPlan, KeptPlans
from helmguard.tui.mode_plans import mode_forms, mode_rows
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.sources.execution import waive
from helmguard.tui.sources.source import Planned
from helmguard.tui.widgets.review import Review
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.value_modes import ValueMode, ValueModes
from helmguard.tui.widgets.verdict_line import VerdictLine
from helmguard.tui.work import Cancelled, Report, WorkScreen, is_cancelled

_PLAN = "plan"


class PlanningScreen(WorkScreen[None]):
    """Plans what a form asks for, and after that, ahead of being asked, the other value modes.

    The plan that is shown stays until another is there. Every plan that was made is closed when another takes
    its place for good, or when the screen is left.
    """

    def __init__(self, form: PlanForm) -> None:
        super().__init__()
        self.title = "rollback plan" if form.is_rollback else "plan"
        self._typed = form
        self._wanted = form
        self._busy = False
        self._kept = KeptPlans()
        self._forms: dict[str, PlanForm] = {}
        self._tried: set[PlanForm] = set()
        self._ahead: PlanForm | None = None
        self._ahead_group = ""
        self._acceptances: dict[str, Acceptance] = {}
        self._masker = Masker()
        self._shown: Planned | None = None
        self._revealed = False

    def compose(self) -> ComposeResult:
        """The verdict, the value modes, and the plan."""
        yield VerdictLine(id="verdict")
        yield ValueModes(id="modes")
        yield Stage(Review(id="review"), id="stage")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Plan."""
        self.start(self._typed)

    def on_unmount(self) -> None:
        """Nothing is left behind."""
        self._busy = False
        self.cancel_work(_PLAN)
        self._cancel_ahead()
        self._kept.close()

    @property
    def shown(self) -> Planned | None:
        """The plan that is shown, with what was accepted; None until one is made."""
        return self._shown

    @property
    def is_busy(self) -> bool:
        """Whether a plan that is wanted is being made."""
        return self._busy

    def start(self, typed: PlanForm, *, anew: bool = False) -> None:
        """Plan what was filled in."""
        self._typed = typed
        if not typed.is_rollback:
            self.program.last_forms[typed.namespace, typed.release] = typed
        self.plan(typed, anew=anew)

    def plan(self, form: PlanForm, *, anew: bool = False) -> None:
        """Show the plan of this form, made already or now; ``anew``: in place of all that were made."""
        if self._busy and form == self._wanted and not anew:
            return
        self._wanted = form
        if not anew and self._kept.get(form) is not None:
            self.cancel_work(_PLAN)
            self.show_plan()
            return
        if form == self._ahead and not anew:
            self._wait(self._what(form))
            return
        self._cancel_ahead()
        if anew:
            self._kept.begin_anew()
        self._wait(self._what(form))
        stage = self.query_one(Stage)
        self.work(
            partial(self._made, form, self._kept.round),
            lambda _: self._arrived(form, anew=anew),
            stage=stage if self._shown is None or stage.state == "error" else None,
            what=self._what(form),
            group=_PLAN,
            failed=lambda error: self._failed(form, error),
        )

    def ask(self, form: PlanForm, report: Report) -> Planned:
        """In a thread: have it planned."""
        return self.program.source.plan(form, report)

    def _made(self, form: PlanForm, round_: int, report: Report) -> None:
        """In a thread: the plan is kept, or closed where nobody waits for it or a newer one is there."""

        def told(text: str) -> None:
            report(text)
            if form == self._wanted:
                self.show_if_wanted(self._tell, form, text)

        planned = self.ask(form, told)
        kept = KeptPlan(planned, Masker.for_plan(planned.plan))
        if not self._kept.keep(form, kept, round_, lambda: not is_cancelled()):
            raise Cancelled

    def _tell(self, form: PlanForm, text: str) -> None:
        if self._busy and form == self._wanted and self._shown is not None:
            self.query_one(VerdictLine).busy(self._what(form), text)

    def _arrived(self, form: PlanForm, *, anew: bool = False) -> None:
        if form == self._ahead:
            self._ahead = None
        if anew:
            self._tried.clear()
            self._kept.drop_others(form)
        if form == self._wanted:
            self.show_plan()
        else:
            self._show_modes()
            self._plan_ahead()

    def _arrived_ahead(self, form: PlanForm, _: None) -> None:
        self._arrived(form)

    def _failed(self, form: PlanForm, error: HelmguardError) -> None:
        if form == self._ahead:
            self._ahead = None
        if form != self._wanted:
            self._plan_ahead()
            return
        self._busy = False
        self.query_one(VerdictLine).show(self._failed_lines(form))
        self.query_one(Stage).failed(error, lambda: self.plan(form))
        self._show_modes()

    def _failed_lines(self, form: PlanForm) -> list[Line]:
        """In place of a verdict: that of the plan before says nothing about this one."""
        flag = MODE_FLAGS.get(form.mode, "")
        ways = "e edits what is asked for"
        if self._shown is not None:
            ways = f"m takes another mode, {ways}, esc goes back to the plan before"
        return [(Span(f"Not planned{f' with {flag}' if flag else ''}", "bad"),), (Span(ways, "dim"),)]

    def _cancel_ahead(self) -> None:
        if self._ahead is not None:
            self.cancel_work(self._ahead_group)
            self._tried.discard(self._ahead)
            self._ahead = None

    def _plan_ahead(self) -> None:
        """Plan the modes that nobody has asked for yet, one at a time."""
        usable = {row.mode for row in self._rows() if row.usable}
        for mode, form in self._forms.items():
            if mode in usable and form not in self._tried and self._kept.get(form) is None:
                self._tried.add(form)
                # A group of its own: the one before has not quite ended where the next one begins.
                self._ahead, self._ahead_group = form, f"ahead {mode}"
                self.work(
                    partial(self._made, form, self._kept.round),
                    partial(self._arrived_ahead, form),
                    group=self._ahead_group,
                    failed=partial(self._failed, form),
                )
                return

    def _wait(self, what: str) -> None:
        self._busy = True
        if self._shown is not None:
            self.query_one(VerdictLine).busy(what)
            self._show_modes()

    def show_plan(self) -> None:
        """Show the plan that is wanted, which is there."""
        made = self._kept.get(self._wanted)
        if made is None:
            return
        self._busy = False
        if made.form == self._typed:
            self._forms = self.forms_of(made.plan)
        self._shown, self._masker = self._with_acceptances(made), self._kept.masker(self._wanted)
        plan, pen = self._shown.plan, self.pen()
        self.query_one(VerdictLine).show(self.head_lines(pen))
        # Where helm can be run from here, what is advised goes through the gate, too.
        shown = with_own_commands(plan) if self.program.options.allow_changes else plan
        self.query_one(Review).show(shown, pen.masker)
        self._show_modes()
        stage = self.query_one(Stage)
        if stage.state != "content":
            stage.ready()
            self.query_one(Review).tree_list.focus()
        self._plan_ahead()

    def show_again(self) -> bool:
        """Give up what is being made for the plan from before; False where there is nothing to give up."""
        stage = self.query_one(Stage)
        if self._shown is None or not (self._busy or stage.state == "error"):
            return False
        self.cancel_work(_PLAN)
        self._wanted = self._shown.form
        self.show_plan()
        return True

    def forms_of(self, plan: Plan) -> dict[str, PlanForm]:
        """What was filled in, in each value mode; ``plan`` is the plan of it."""
        return mode_forms(self._typed, plan)

    def head_lines(self, pen: Pen) -> list[Line]:
        """What stands above the plan: the verdict first."""
        assert self._shown is not None
        plan = self._shown.plan
        return [each for each in (plan_title(plan, pen), plan_remark(plan, pen)) if each]

    def _show_modes(self) -> None:
        chosen = next((mode for mode, form in self._forms.items() if form == self._wanted), "")
        self.query_one(ValueModes).show_modes(self._rows(), chosen)

    def _rows(self) -> list[ValueMode]:
        if self._shown is None:
            return []
        return mode_rows(self._forms, self._shown.losses, self._kept_with_acceptances, self.pen())

    def _kept_with_acceptances(self, form: PlanForm) -> Planned | None:
        made = self._kept.get(form)
        return made and self._with_acceptances(made)

    def _with_acceptances(self, planned: Planned) -> Planned:
        for acceptance in self._acceptances.values():
            planned = waive(planned, acceptance)
        return planned

    def pen(self) -> Pen:
        assert self._shown is not None
        masker = Masker(show=True) if self._revealed else self._masker
        return self.program.pen(masker, self.size.width - 2)

    def _what(self, form: PlanForm) -> str:
        """What is being made, in words."""
        flag = MODE_FLAGS.get(form.mode, "")
        return f"planning with {flag}" if flag else "planning"
