"""A plan on the screen: value modes, waivers, copying, and that nothing made is left behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from given_source import UNREACHABLE
from msgspec.structs import replace
from one_screen import text_of
from planned_demo import FORM, DemoSource, demo_plan, plan_shown
from settled import press, settled
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from helmguard.masking.masker import Masker
from helmguard.model.finding import Finding, Waiver
from helmguard.model.value_change import ValueChange
from helmguard.planner.session import Report
from helmguard.tui.dialogs.command_line import CommandLineDialog
from helmguard.tui.dialogs.waive import WaiveDialog
from helmguard.tui.kept_plans import KeptPlan
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.screens.yaml import YamlScreen
from helmguard.tui.sources.source import Planned
from helmguard.tui.widgets.review import Review
from helmguard.tui.widgets.value_modes import ValueModes

Check = Callable[[Pilot[int], PlanScreen], Awaitable[None]]


def on_plan(check: Check, source: DemoSource | None = None, form: PlanForm = FORM, **options: Any) -> None:
    """Run ``check`` in front of the demo's plan."""

    async def run() -> None:
        async with plan_shown(source or DemoSource(), form, **options) as (pilot, screen):
            await check(pilot, screen)

    asyncio.run(run())


def title_of(pilot: Pilot[int]) -> str:
    """The line of the verdict."""
    return text_of(pilot).splitlines()[1].strip()


def commands_of(pilot: Pilot[int]) -> list[str]:
    """What the dialog with the commands shows."""
    assert isinstance(pilot.app.screen, CommandLineDialog)
    return [area.text for area in pilot.app.screen.query(TextArea)]


def told_of(pilot: Pilot[int]) -> str:
    """The last message in passing."""
    return [note.message for note in pilot.app._notifications][-1]


def go_to_finding(screen: PlanScreen, wanted: Callable[[Finding], bool]) -> None:
    """Put the cursor on it."""
    tree = screen.query_one(Review).tree_list
    found = ((row.key, getattr(row.item, "item", None)) for row in tree.rows)
    assert tree.go_to(next(key for key, item in found if isinstance(item, Finding) and wanted(item)))


def test_another_mode_takes_the_blocker_away_without_planning_again() -> None:
    source = DemoSource()

    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        assert "1 BLOCKER" in title_of(pilot) and title_of(pilot).endswith("refused")
        assert [form.mode for form in source.asked_for] == ["", "reuse", "reset-then-reuse"]
        rows = [line.strip("|> ") for line in text_of(pilot).splitlines() if ") " in line[:8]]
        assert [" ".join(row.split()) for row in rows] == [
            "(*) 1 reset, as typed loses 1: driver.enabled refused",
            "( ) 2 reuse keeps all passes",
            "( ) 3 reset-then-reuse keeps all passes",
        ]
        await press(pilot, "m")
        assert "BLOCKER" not in title_of(pilot) and title_of(pilot).endswith("passes")
        assert "(*) 2 reuse" in text_of(pilot) and "( ) 1 reset, as typed" in text_of(pilot)
        await press(pilot, "mm")
        assert "1 BLOCKER" in title_of(pilot)
        await press(pilot, "3")
        assert screen.shown is not None and screen.shown.form.mode == "reset-then-reuse"
        await press(pilot, "0")
        assert screen.shown.form.mode == "" and "1 BLOCKER" in title_of(pilot)
        assert len(source.asked_for) == 3
        await press(pilot, "y")
        assert isinstance(pilot.app.screen, YamlScreen) and "new manifest" in text_of(pilot)

    on_plan(check, source)


def test_a_mode_that_cannot_be_used_is_passed_over_and_says_why() -> None:
    def without_reuse(planned: Planned) -> Planned:
        losses = tuple(
            replace(loss, lost=(), unknown="the values are refused") if loss.mode == "reuse" else loss
            for loss in planned.losses
        )
        return replace(planned, losses=losses)

    source = DemoSource(without_reuse)

    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        assert "not known: the values are refused" in text_of(pilot)
        await press(pilot, "m")
        assert screen.shown is not None and screen.shown.form.mode == "reset-then-reuse"
        assert "reuse" not in [form.mode for form in source.asked_for]

    on_plan(check, source)


def test_the_old_plan_stays_while_another_mode_is_planned() -> None:
    source = DemoSource()

    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        source.hold()
        await press(pilot, ["ctrl+r"])
        assert "1 BLOCKER" in title_of(pilot) and "planning: rendering the chart" in text_of(pilot)
        await press(pilot, ["escape"])
        assert "planning" not in text_of(pilot) and not screen.is_busy
        source.let_go()
        await press(pilot, "m")
        assert title_of(pilot).endswith("passes")
        # What was given up was not made after all.
        assert len(source.asked_for) == 4 and len(source.open_plans) == 3

    on_plan(check, source)


def test_a_mode_that_is_planned_ahead_is_waited_for_and_not_planned_twice() -> None:
    source = DemoSource()

    async def run() -> None:
        source.hold()
        async with plan_shown(source) as (pilot, screen):
            assert "Planning: rendering the chart" in text_of(pilot)
            source.let_go()
            await settled(pilot, lambda: screen.shown is not None)
            source.hold()
            await press(pilot, ["ctrl+r"])
            source.let_go()
            await settled(pilot, lambda: not screen.is_busy)
            assert source.asked_for[:2] == [FORM, FORM.with_mode("reuse")]
            await press(pilot, "2")
            assert title_of(pilot).endswith("passes")

    asyncio.run(run())


def test_an_error_keeps_the_way_back_to_the_plan() -> None:
    def broken(planned: Planned) -> Planned:
        if planned.form.mode == "reuse":
            raise UNREACHABLE
        return planned

    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        await press(pilot, "m")
        assert "does not answer" in text_of(pilot) and "ctrl+r tries again" in text_of(pilot)
        assert title_of(pilot) == "Not planned with --reuse-values"
        # The plan of before is out of sight: nothing is done with it.
        await press(pilot, "scwa")
        assert pilot.app.screen is screen
        await press(pilot, ["escape"])
        assert "does not answer" not in text_of(pilot) and "Findings" in text_of(pilot)
        assert screen.shown is not None and screen.shown.form == FORM
        assert screen.is_attached

    on_plan(check, DemoSource(broken))


def test_every_plan_is_closed_once_it_is_replaced_or_left() -> None:
    source = DemoSource()

    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        assert len(source.open_plans) == 3
        await press(pilot, ["ctrl+r"])
        assert len(source.open_plans) == 3 and len(source.asked_for) == 6
        await press(pilot, ["escape"])
        assert not screen.is_attached and source.open_plans == []
        app = pilot.app
        app.push_screen(PlanScreen(FORM))
        await settled(pilot, lambda: len(source.open_plans) == 3)

    on_plan(check, source)
    assert source.open_plans == []


def test_a_plan_that_comes_after_the_screen_was_left_is_closed() -> None:
    source = DemoSource()

    async def run() -> None:
        source.hold()
        async with plan_shown(source) as (pilot, screen):
            kept = screen._kept
            await press(pilot, ["escape"])
            assert not screen.is_attached
            late = source._change(demo_planned(source))
            kept.keep(FORM, KeptPlan(late, Masker()), kept.round)
            assert source.open_plans == []
            source.let_go()

    asyncio.run(run())


def demo_planned(source: DemoSource) -> Planned:
    """One that counts among the source's open plans."""
    source.open_plans.append(FORM)
    return replace(demo_plan(FORM), closing=lambda: source.open_plans.remove(FORM))


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


class LateSource(DemoSource):
    """The first plan of the last mode comes only after everything was planned anew but that mode."""

    def __init__(self) -> None:
        super().__init__()
        self.late: threading.Thread | None = None
        self.may_come = threading.Event()

    @property
    def is_held(self) -> bool:
        return self.late is not None and not self.may_come.is_set()

    def plan(self, form: PlanForm, report: Report) -> Planned:
        again = form in self.asked_for
        planned = super().plan(form, report)
        if form.mode == "reset-then-reuse" and not again:
            self.late = threading.current_thread()
            assert self.may_come.wait(20)
        elif form.mode == "reuse" and again and self.late is not None:
            self.may_come.set()
            self.late.join(20)
        return planned


def test_a_plan_of_before_that_comes_late_is_not_taken_for_one_that_was_made_anew() -> None:
    source = LateSource()

    async def check(pilot: Pilot[int], screen: PlanScreen) -> None:
        await settled(pilot, lambda: source.is_held)
        await press(pilot, ["ctrl+r"])
        await settled(pilot, lambda: len(source.asked_for) == 6 and len(source.open_plans) == 3)
        modes = [form.mode for form in source.asked_for]
        assert modes.count("reset-then-reuse") == 2 and not source.late.is_alive()  # type: ignore[union-attr]

    on_plan(check, source)
    assert source.open_plans == []
