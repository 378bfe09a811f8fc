"""A saved plan on the screen: made anew where it is to be applied, and compared before anybody is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import cast

import pytest
from given_source import UNREACHABLE
from msgspec.structs import replace
from one_screen import press, shown, text_of
from planned_demo import FORM, demo_plan
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Static

from helmguard.errors import HelmguardError
from helmguard.execute.operation import Operation
from helmguard.model.plan_difference import PlanDifference
from helmguard.model.saved_plan_header import NeededAgain, SavedPlanHeader
from helmguard.planner.session import Report
from helmguard.tui.dialogs import approve
from helmguard.tui.options import TuiOptions
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.saved_plan import SavedPlanScreen
from helmguard.tui.sources.saved import SavedPlanSource
from helmguard.tui.sources.source import Planned

MOVED = (PlanDifference("live object", "ConfigMap/web", "as planned", "changed"),)
HEADER = SavedPlanHeader(
    written_by="helmguard 1.0",
    created="2026-11-30T05:00:00Z",
    operation="upgrade",
    release=FORM.release,
    namespace=FORM.namespace,
    helm="3.22.0",
    kubernetes="v1.36.3",
    command=("upgrade", FORM.release, "./gpu-operator"),
    exit_code=3,
    needs=NeededAgain(),
    parts={},
)
CHANGES_ALLOWED = TuiOptions(allow_changes=True)


class GivenSaved:
    """A saved plan that is not as it was: ``anew`` are the plans that were made to be applied."""

    label = "web.hgplan"
    form = FORM
    header = HEADER

    def __init__(self, *, can_execute: bool = True) -> None:
        self.can_execute = can_execute
        self.failing: HelmguardError | None = None
        self.anew: list[Planned] = []

    def review(self, _: Report) -> Planned:
        return replace(demo_plan(FORM), operation=None)

    def plan(self, form: PlanForm, _: Report) -> Planned:
        if self.failing is not None:
            raise self.failing
        self.anew.append(replace(demo_plan(form), operation=cast(Operation, object())))
        return self.anew[-1]

    def stale(self, planned: Planned) -> tuple[PlanDifference, ...]:
        return MOVED if planned is self.anew[-1] else ()


class Asked(ModalScreen[bool]):
    """Stands for the question: notes what it is asked about."""

    about: list[tuple[Planned, tuple[PlanDifference, ...]]]

    def __init__(self, planned: Planned, stale: tuple[PlanDifference, ...] = ()) -> None:
        super().__init__()
        self.about.append((planned, stale))

    def compose(self) -> ComposeResult:
        yield Static("asked", markup=False)


Check = Callable[[Pilot[int], SavedPlanScreen], Awaitable[None]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Planned, tuple[PlanDifference, ...]]]:
    about: list[tuple[Planned, tuple[PlanDifference, ...]]] = []
    monkeypatch.setattr(Asked, "about", about, raising=False)
    monkeypatch.setattr(approve, "ApproveDialog", Asked)
    return about


def on_saved(source: GivenSaved, check: Check, options: TuiOptions = CHANGES_ALLOWED) -> None:
    """In front of the plan as it was saved."""

    async def run() -> None:
        screen = SavedPlanScreen(cast(SavedPlanSource, source))
        async with shown(screen, options=options) as pilot:
            pilot.app.source = source  # type: ignore[attr-defined]
            assert "Saved 2026-11-30" in text_of(pilot)
            await check(pilot, screen)

    asyncio.run(run())


def test_it_is_made_anew_and_what_no_longer_holds_goes_to_the_gate(asked: list[object]) -> None:
    source = GivenSaved()

    async def check(pilot: Pilot[int], screen: SavedPlanScreen) -> None:
        assert screen.shown is not None and screen.shown.operation is None
        await press(pilot, "a")
        assert asked == [(screen.shown, MOVED)]
        assert screen.shown.operation is source.anew[0].operation

    on_saved(source, check)


def test_where_nothing_can_be_applied_nothing_is_made_anew(asked: list[object]) -> None:
    for source, options in ((GivenSaved(), TuiOptions()), (GivenSaved(can_execute=False), CHANGES_ALLOWED)):

        async def check(pilot: Pilot[int], screen: SavedPlanScreen, source: GivenSaved = source) -> None:
            await press(pilot, "a", "m", "e", "1")
            assert pilot.app.screen is screen and source.anew == []
            told = " ".join(note.message for note in pilot.app._notifications)
            assert "holds one plan" in told
            assert ("Review mode" if source.can_execute else "lacks what is needed again") in told

        on_saved(source, check, options)
    assert asked == []


def test_after_an_error_the_plan_as_it_was_saved_is_there_and_nobody_is_asked(asked: list[object]) -> None:
    source = GivenSaved()

    async def check(pilot: Pilot[int], screen: SavedPlanScreen) -> None:
        source.failing = UNREACHABLE
        await press(pilot, "a")
        assert "does not answer" in text_of(pilot)
        source.failing = None
        await press(pilot, "escape")
        assert "Saved 2026-11-30" in text_of(pilot) and asked == []
        await press(pilot, "ctrl+r")
        assert screen.shown is not None and screen.shown.operation is None
        assert asked == [] and source.anew == []

    on_saved(source, check)
