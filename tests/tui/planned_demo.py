"""The demo's plans, made once for all tests, from a source that can be held, broken and counted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any

from given_histories import demo_release
from given_source import NOW, GivenSource
from msgspec.structs import replace
from settled import settled
from textual.pilot import Pilot

from helmguard.planner.demo import WORDS, demo_bundle
from helmguard.planner.session import Report
from helmguard.tui.app import HelmguardApp
from helmguard.tui.options import TuiOptions
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.sources.planning import plan_in_bundle
from helmguard.tui.sources.source import Planned

FORM = PlanForm("gpu-operator", "gpu-operator", sets=(" ".join(WORDS),))


@lru_cache
def demo_plan(form: PlanForm) -> Planned:
    return plan_in_bundle(demo_bundle(), form, (), lambda _: None)


class DemoSource(GivenSource):
    """``open_plans`` are those that were made and not closed; ``asked_for`` the forms, oldest first."""

    def __init__(self, change: Callable[[Planned], Planned] = lambda planned: planned) -> None:
        super().__init__(demo_release(), label="demo")
        self.open_plans: list[PlanForm] = []
        self.asked_for: list[PlanForm] = []
        self._change = change

    def plan(self, form: PlanForm, report: Report) -> Planned:
        self.asked_for.append(form)
        self._step("plan", "rendering the chart", report)
        self.open_plans.append(form)
        return replace(self._change(demo_plan(form)), closing=lambda: self.open_plans.remove(form))


@asynccontextmanager
async def plan_shown(
    source: DemoSource, form: PlanForm = FORM, *, size: tuple[int, int] = (100, 30), **options: Any
) -> AsyncIterator[tuple[Pilot[int], PlanScreen]]:
    """The program with the plan's screen in front of the list of releases."""
    app = HelmguardApp(source, TuiOptions(**options), clock=lambda: NOW)
    async with app.run_test(size=size) as pilot:
        screen = PlanScreen(form)
        app.push_screen(screen)
        await settled(pilot, lambda: source.is_held or screen.shown is not None)
        yield pilot, screen
