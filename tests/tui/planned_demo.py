"""The demo's plans, made once for all tests, from a source that can be held, broken and counted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any

from given_histories import demo_release
from given_source import NOW, GivenSource
from msgspec.structs import replace
from one_screen import text_of
from settled import settled
from textual.pilot import Pilot
from textual.widgets import TextArea

from helmguard.model.finding import Finding
from helmguard.planner.demo import WORDS, demo_bundle
from helmguard.planner.session import Report
from helmguard.tui.app import HelmguardApp
from helmguard.tui.dialogs.command_line import CommandLineDialog
from helmguard.tui.options import TuiOptions
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.sources.planning import plan_in_bundle
from helmguard.tui.sources.source import Planned
from helmguard.tui.widgets.review import Review

Check = Callable[[Pilot[int], PlanScreen], Awaitable[None]]
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
