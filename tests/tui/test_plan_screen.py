"""A plan on the screen: value modes, what is planned ahead, and that nothing made is left behind."""

from __future__ import annotations

import asyncio
import threading

from given_source import UNREACHABLE
from msgspec.structs import replace
from one_screen import text_of
from planned_demo import (
    FORM,
    DemoSource,
    demo_plan,
    on_plan,
    plan_shown,
    title_of,
)
from settled import press, settled
from textual.pilot import Pilot

from helmguard.masking.masker import Masker
from helmguard.planner.session import Report
from helmguard.tui.kept_plans import KeptPlan
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.screens.yaml import YamlScreen
from helmguard.tui.sources.source import Planned


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


def demo_planned(source: DemoSource) -> Planned:
    """One that counts among the source's open plans."""
    source.open_plans.append(FORM)
    return replace(demo_plan(FORM), closing=lambda: source.open_plans.remove(FORM))


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
