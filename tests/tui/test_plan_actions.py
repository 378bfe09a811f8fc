"""What can be done with a plan on the screen: waived, copied, revealed, and what cannot."""

from __future__ import annotations

from msgspec.structs import replace
from one_screen import text_of
from planned_demo import (
    FORM,
    DemoSource,
    commands_of,
    go_to_finding,
    on_plan,
    title_of,
    told_of,
)
from settled import press
from textual.pilot import Pilot
from textual.widgets import Input

from helmguard.model.finding import Waiver
from helmguard.model.value_change import ValueChange
from helmguard.tui.dialogs.waive import WaiveDialog
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.sources.source import Planned
from helmguard.tui.widgets.value_modes import ValueModes


def test_a_finding_is_waived_with_a_reason_and_taken_back() -> None:
    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        await press(pilot, "ow")
        assert "Put the cursor on a finding" in told_of(pilot)
        go_to_finding(screen, lambda finding: finding.severity == "blocker")
        await press(pilot, "w")
        assert isinstance(pilot.app.screen, WaiveDialog)
        assert "values-lost-override" in text_of(pilot)
        await press(pilot, ["space", "enter"])
        assert "A reason is wanted" in text_of(pilot)
        pilot.app.screen.query_one(Input).value = "nodes\x1b[31m are  drained"
        await press(pilot, ["enter"])
        assert "BLOCKER" not in title_of(pilot) and "1 waived" in title_of(pilot)
        await press(pilot, "c")
        upgrade, plan = commands_of(pilot)
        assert upgrade.endswith("--accept 'values-lost-override=nodes [31m are drained'")
        assert "--accept" not in plan
        await press(pilot, ["escape"])
        await press(pilot, "*")
        go_to_finding(screen, lambda finding: finding.waived is not None)
        await press(pilot, "w")
        assert "1 BLOCKER" in title_of(pilot) and "waived" not in title_of(pilot)

    on_plan(check)


def test_data_that_is_destroyed_is_asked_for_by_name() -> None:
    def destroying(planned: Planned) -> Planned:
        findings = tuple(replace(finding, data_loss=True) for finding in planned.plan.findings)
        return replace(planned, plan=replace(planned.plan, findings=findings))

    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        go_to_finding(screen, lambda finding: finding.severity == "blocker")
        await press(pilot, "w")
        assert "It destroys data: applying will ask you to type 'gpu-operator'" in text_of(pilot)
        await press(pilot, ["escape"])
        assert "waived" not in title_of(pilot)

    on_plan(check, DemoSource(destroying))


def test_a_waiver_of_the_configuration_is_not_taken_back_here() -> None:
    def waived(planned: Planned) -> Planned:
        by_file = Waiver("agreed", file=".helmguard.yaml", line=7)
        findings = tuple(replace(finding, waived=by_file) for finding in planned.plan.findings)
        return replace(planned, plan=replace(planned.plan, findings=findings))

    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        await press(pilot, "*")
        go_to_finding(screen, lambda _: True)
        await press(pilot, "w")
        assert told_of(pilot) == "It is waived in .helmguard.yaml:7 (agreed); change it there."

    on_plan(check, DemoSource(waived))


def test_the_commands_are_those_that_do_the_same() -> None:
    async def check(pilot: Pilot[int], _: PlanScreen) -> None:
        await press(pilot, "mc")
        words = "gpu-operator ./gpu-operator --fail-on=blocker -n gpu-operator --set toolkit.enabled=true"
        assert commands_of(pilot) == [
            f"helmguard upgrade {words} --reuse-values",
            f"helmguard plan {words} --reuse-values",
        ]
        assert pilot.app.clipboard == commands_of(pilot)[0]
        await press(pilot, ["tab", "c"])
        assert pilot.app.clipboard == commands_of(pilot)[1]

    on_plan(check, common_words=("--fail-on=blocker",))


def test_a_copied_command_holds_no_secret() -> None:
    form = replace(FORM, sets=("toolkit.enabled=true", "operator.password=Tr0ub4dor"))

    def with_secret(planned: Planned) -> Planned:
        change = ValueChange(("operator", "password"), None, "Tr0ub4dor", "values")
        values = replace(planned.plan.values, changes=(*planned.plan.values.changes, change))
        return replace(planned, plan=replace(planned.plan, values=values), form=form)

    async def check(pilot: Pilot[int], _: PlanScreen) -> None:
        await press(pilot, "c")
        assert all("operator.password=(secret)" in command for command in commands_of(pilot))
        assert "Tr0ub4dor" not in text_of(pilot) + pilot.app.clipboard
        assert "Secrets are masked" in text_of(pilot)

    source = DemoSource(with_secret)
    on_plan(check, source)


def test_what_cannot_be_done_here_says_why() -> None:
    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        await press(pilot, "s")
        assert "cannot be saved" in told_of(pilot)
        await press(pilot, "x")
        assert "--show-secrets" in told_of(pilot) and not screen.pen().masker.shows_secrets
        await press(pilot, "a")
        assert "demo is not a cluster" in told_of(pilot)
        screen.program.source.can_execute = True  # type: ignore[misc]
        await press(pilot, "a")
        assert "--allow-changes" in told_of(pilot) and pilot.app.screen is screen

    on_plan(check)


def test_secrets_are_revealed_where_that_was_asked_for_and_masked_again() -> None:
    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        await press(pilot, "x")
        assert screen.pen().masker.shows_secrets
        await press(pilot, "x")
        assert not screen.pen().masker.shows_secrets

    on_plan(check, show_secrets=True)


def test_a_rollback_has_no_value_modes() -> None:
    form = PlanForm("gpu-operator", "gpu-operator", rollback_to=1)

    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        assert title_of(pilot).startswith("Rollback to 1: gpu-operator")
        assert not screen.query_one(ValueModes).display
        await press(pilot, "m")
        assert "only an upgrade has them" in told_of(pilot)
        await press(pilot, "c")
        assert commands_of(pilot) == [
            "helmguard rollback gpu-operator 1 -n gpu-operator",
            "helmguard plan gpu-operator -n gpu-operator --rollback 1",
        ]

    on_plan(check, form=form)
