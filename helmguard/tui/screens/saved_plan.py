"""A plan out of a file: reviewed as it was saved, made anew where it is to be applied."""

from __future__ import annotations

from helmguard.errors import HelmguardError
from helmguard.model.plan import Plan
from helmguard.model.plan_difference import PlanDifference
from helmguard.report.page import Pen
from helmguard.report.saved_plan import about_texts
from helmguard.report.styles import Line
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.sources.saved import SavedPlanSource
from helmguard.tui.sources.source import Planned
from helmguard.tui.work import Report


class SavedPlanScreen(PlanScreen):
    """Of a `SavedPlanSource`, which has one plan: its form and its value mode stay as they are."""

    def __init__(self, source: SavedPlanSource) -> None:
        super().__init__(source.form)
        self._source = source
        self._applies = False
        self._stale: tuple[PlanDifference, ...] = ()

    def ask(self, form: PlanForm, report: Report) -> Planned:
        """As it was saved; to apply it, anew from the cluster."""
        if not self._applies:
            return self._source.review(report)
        planned = self._source.plan(form, report)
        report("comparing with the saved plan")
        self._stale = self._source.stale(planned)
        return planned

    def show_plan(self) -> None:
        """Once it was made anew, the question follows at once."""
        super().show_plan()
        if self._applies and self._shown is not None and self._shown.operation is not None:
            self._applies = False
            self.approve(self._stale)

    def head_lines(self, pen: Pen) -> list[Line]:
        """What the file says of itself, too."""
        said, _, *more = about_texts(self._source.header)
        text = " ".join([f"{said.removesuffix(':')}.", *more])
        return [*super().head_lines(pen), (pen.text(text, "dim"),)]

    def forms_of(self, plan: Plan) -> dict[str, PlanForm]:  # noqa: ARG002
        """No other mode can be planned."""
        return {}

    def leave(self) -> None:
        """There is nothing behind it."""
        self.remark("q quits.")

    def action_next_mode(self) -> None:
        """There is one."""
        self.remark(f"{self._source.label} holds one plan: its value mode cannot be changed.")

    def action_edit(self) -> None:
        """There is one plan."""
        self.remark(f"{self._source.label} holds one plan, which cannot be changed.")

    def action_apply(self) -> None:
        """Plan anew, compare with the saved plan, ask."""
        if self._in_front() is None:
            return
        if not self._source.can_execute:
            lacks = "is sealed" if self._source.header.sealed is not None else "lacks what is needed again"
            self.remark(f"{self._source.label} {lacks}; helmguard apply FILE takes what it needs.")
        elif self._may_apply():
            self._applies = True
            self.plan(self._wanted, anew=True)

    def _failed(self, form: PlanForm, error: HelmguardError) -> None:
        """What is shown next is the plan as it was saved."""
        self._applies = False
        super()._failed(form, error)

    def show_again(self) -> bool:
        """As it was saved, if it is not to be applied after all."""
        self._applies = False
        return super().show_again()
