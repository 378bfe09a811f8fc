"""One plan: what it does, what each value mode would lose, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from helmguard.errors import UsageError
from helmguard.execute.approval import COMMAND_LINE, acceptances_in
from helmguard.model.execution import Acceptance
from helmguard.model.finding import Finding
from helmguard.model.plan_difference import PlanDifference
from helmguard.report.plan_title import waived_in_file
from helmguard.saved_plan.write import WrittenPlan
from helmguard.tui.command_lines import run_command
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.planning import PlanningScreen
from helmguard.tui.sources.source import Planned
from helmguard.tui.widgets.review import Review
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.value_modes import ValueModes
from helmguard.tui.work import Report


class PlanScreen(PlanningScreen):
    """The keys of a plan: other value modes, waivers, saving, copying, applying."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "next_mode", "Mode", tooltip="The next value mode: plans at once, shows what it loses"),
        Binding("w", "waive", "Waive", tooltip="Accept the finding under the cursor, or take that back"),
        Binding("s", "save", "Save", tooltip="Save the plan, for helmguard show and apply"),
        Binding("c", "copy", "Copy", tooltip="Copy the command that does the same"),
        Binding("e", "edit", "Edit", tooltip="Change chart, values or flags, and plan again"),
        Binding("a", "apply", "Apply", tooltip="Ask, then let helm run it (with --allow-changes)"),
        Binding("escape", "back", "Back", show=False, tooltip="Cancel what is being planned, else go back"),
        Binding(
            "ctrl+r", "again", "Plan anew", show=False, tooltip="Plan anew: read chart and cluster again"
        ),
        Binding("f", "go_to('findings')", "Findings", show=False, tooltip="To the findings"),
        Binding("o", "go_to('objects')", "Objects", show=False, tooltip="To the objects that change"),
        Binding("v", "go_to('values')", "Values", show=False, tooltip="To the values that change"),
        Binding("h", "go_to('hooks')", "Hooks", show=False, tooltip="To the hooks that run"),
        Binding("y", "yaml", "YAML", show=False, tooltip="All objects as YAML, both sides"),
        Binding("n", "next_change(1)", "Next", show=False, tooltip="To the next change or hit"),
        Binding("N", "next_change(-1)", "Previous", show=False, tooltip="To the change or hit before"),
        Binding("0", "mode_of_key('0')", "As typed", show=False, tooltip="The values as the form says"),
        Binding("1", "mode_of_key('1')", "Reset values", show=False, tooltip="Plan with --reset-values"),
        Binding("2", "mode_of_key('2')", "Reuse values", show=False, tooltip="Plan with --reuse-values"),
        Binding(
            "3",
            "mode_of_key('3')",
            "Reset, then reuse",
            show=False,
            tooltip="Plan with --reset-then-reuse-values",
        ),
        Binding(
            "x",
            "reveal",
            "Reveal secrets",
            show=False,
            tooltip="Show secrets, or mask them (with --show-secrets)",
        ),
    ]

    def action_next_mode(self) -> None:
        """The next value mode; the plan follows."""
        mode = self.query_one(ValueModes).next_mode()
        if not self._forms:
            self.remark("There are no value modes to choose from: only an upgrade has them.")
        elif mode is None:
            self.remark("No other value mode can be used; the list says why.")
        else:
            self._choose(mode)

    def action_mode_of_key(self, key: str) -> None:
        """The figures in the list choose."""
        mode = self.query_one(ValueModes).mode_of_key(key)
        if mode is None and key == "0":
            mode = next((mode for mode, form in self._forms.items() if not form.mode), None)
        if mode is not None:
            self._choose(mode)

    def on_value_modes_chosen(self, event: ValueModes.Chosen) -> None:
        """A row of the list was chosen."""
        self._choose(event.mode)

    def _choose(self, mode: str) -> None:
        if self._wanted in self._forms.values():
            self.plan(self._forms[mode])
        else:
            self.remark("These are the modes of the plan before: esc goes back to it.")

    def action_again(self) -> None:
        """Try again what failed, or plan anew what is shown; what was planned ahead is let go then."""
        self.plan(self._wanted, anew=self.query_one(Stage).state != "error")

    def action_back(self) -> None:
        """Cancel what is going on, else go back to the plan that is shown, else leave."""
        if not self.show_again():
            self.leave()

    def leave(self) -> None:
        """Back to the screen before."""
        self.dismiss()

    def action_go_to(self, section: str) -> None:
        """A part of the plan."""
        self.query_one(Review).go_to(section)

    def action_next_change(self, step: int) -> None:
        """From change to change."""
        self.query_one(Review).next_change(step)

    def action_edit(self) -> None:
        """Fill in the form again."""
        from helmguard.tui.dialogs.plan_form import PlanFormDialog

        hint = ""
        if self._shown is not None and not self.program.source.can_execute:
            reference = self._shown.plan.release.new_chart.reference
            hint = f"the one in the bundle{f': {reference}' if reference else ''}"
        self.app.push_screen(PlanFormDialog(self._wanted, hint=hint), self._edited)

    def _edited(self, form: PlanForm | None) -> None:
        if form is None:
            return
        if self._acceptances:
            self._acceptances = {}
            self.remark("What was accepted was for the plan before, and is not accepted any more.")
        self.start(form, anew=True)

    def _in_front(self) -> Planned | None:
        """The plan that one sees, where it is the one that was asked for; else the user is told why not."""
        if self._busy:
            self.remark("The plan is being made: wait until it is there, or cancel that with esc.")
        elif self.query_one(Stage).state != "content":
            self.remark("It was not planned: ctrl+r tries again, e edits what is asked for.")
        else:
            return self._shown
        return None

    def action_waive(self) -> None:
        """Accept the finding under the cursor for this run, with a reason; or take that back."""
        from helmguard.tui.dialogs.waive import WaiveDialog

        planned, found = self._in_front(), self.query_one(Review).selected
        if planned is None:
            return
        if not isinstance(found, Finding):
            self.remark("Put the cursor on a finding to waive it; f goes to the findings.")
        elif found.waived is None:
            self.app.push_screen(WaiveDialog(planned.plan, found, self.pen()), self._waived)
        elif found.waived.file == COMMAND_LINE:
            self._acceptances.pop(found.rule, None)
            self.show_plan()
            self.remark(f"{found.rule} is not waived any more.")
        else:
            self.remark(waived_in_file(found.waived, self.pen()))

    def _waived(self, acceptance: Acceptance | None) -> None:
        if acceptance is not None:
            self._acceptances[acceptance.rule] = acceptance
            self.show_plan()

    def action_save(self) -> None:
        """Save the plan into a file, as it was judged."""
        from helmguard.tui.dialogs.save_plan import SavePlanDialog

        planned = self._in_front()
        if planned is None:
            return
        if planned.operation is None:
            # Refused for every file: the source says why.
            self.work(lambda report: self.program.source.save(planned, "", report), self._saved, group="save")
        else:
            accepted = tuple(self._acceptances)
            dialog = SavePlanDialog(planned.plan.release.name, self._save, self.pen(), accepted)
            self.app.push_screen(dialog, self._saved)

    def _save(self, path: str, keys: tuple[str, ...], report: Report) -> WrittenPlan:
        from helmguard.saved_plan.sealing import sealing_for

        assert self._shown is not None
        return self.program.source.save(self._shown, path, report, sealing_for(keys))

    def _saved(self, written: WrittenPlan | None) -> None:
        if written is not None:
            self.remark(f"Saved to {written.path}.")

    def action_copy(self) -> None:
        """Copy the command that does the same, and show it."""
        from helmguard.tui.dialogs.command_line import CommandLineDialog

        planned = self._in_front()
        if planned is None:
            return
        plan, form, common = planned.plan, planned.form, self.program.options.common_words
        if not form.is_rollback and not form.chart:
            form = replace(form, chart=plan.release.new_chart.reference or "CHART")
        commands = [
            ("Plan, pass the gate, ask, run and verify", run_command(form, common, acceptances_in(plan))),
            ("Plan alone", form.command(common)),
        ]
        pen = self.pen()
        shown = [(what, pen.command(command).text) for what, command in commands]
        masked = any(pen.masker.command(command) != command for _, command in commands)
        self.app.push_screen(CommandLineDialog(shown, masked=masked))

    def action_apply(self) -> None:
        """Ask, and let helm run it."""
        if self._may_apply() and self._in_front() is not None:
            self.approve()

    def _may_apply(self) -> bool:
        """Else the user is told why not."""
        source, options = self.program.source, self.program.options
        try:
            self.program.refuse_second_run()
        except UsageError as error:
            self.remark(f"{error.message}. {error.remedy}")
            return False
        if not source.can_execute:
            self.remark(
                f"{source.label} is not a cluster: nothing can be applied here. c copies the command."
            )
        elif not options.allow_changes:
            self.remark("Review mode: nothing can be changed. Start with helmguard tui --allow-changes.")
        return source.can_execute and options.allow_changes

    def approve(self, stale: Sequence[PlanDifference] = ()) -> None:
        """Ask about the plan that is shown; ``stale`` is what no longer holds of a saved one."""
        from helmguard.tui.dialogs.approve import ApproveDialog

        if self._shown is not None:
            # What was asked about is what is run, whatever is shown by then.
            self.app.push_screen(ApproveDialog(self._shown, stale), partial(self._approved, self._shown))

    def _approved(self, planned: Planned, approved: bool | None) -> None:
        from helmguard.tui.screens.execution import ExecutionScreen

        if approved:
            self._kept.lend(planned.form)
            self.app.push_screen(ExecutionScreen(planned))

    def action_reveal(self) -> None:
        """Show secrets, or mask them again."""
        if self.may_reveal() and self._shown is not None:
            self._revealed = not self._revealed
            self.show_plan()

    def on_review_object_opened(self, event: Review.ObjectOpened) -> None:
        """The object alone: three-way, and its YAML."""
        from helmguard.tui.screens.object import ObjectScreen

        if self._shown is not None:
            self.app.push_screen(ObjectScreen(self._shown.plan, event.resource, self.pen().masker))

    def action_yaml(self) -> None:
        """All objects on two sides."""
        from helmguard.tui.screens.yaml import YamlScreen

        if self._shown is None:
            self.remark("There is no plan yet.")
        else:
            self.app.push_screen(YamlScreen("YAML", self._shown.plan, self.pen().masker))

    def remark(self, text: str) -> None:
        """Say something in passing."""
        from helmguard.report.escaping import escape_line

        self.app.notify(escape_line(text), markup=False)
