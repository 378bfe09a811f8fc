"""Review mode: nothing in the interface lets helm go."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import pytest
from given_run import outcome
from msgspec.structs import replace
from one_screen import shown, text_of

import helmguard.tui
from helmguard.errors import UsageError
from helmguard.planner.demo import plan_demo
from helmguard.tui.dialogs.approve import ApproveDialog
from helmguard.tui.helm_at_work import HelmAtWork
from helmguard.tui.options import TuiOptions
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.execution import ExecutionScreen
from helmguard.tui.sources.source import Planned

REFUSED = "review mode: nothing can be changed"
LETS_GO = {"Run", "carry_out", "perform", "run_helm", "LongRun"}
TUI = Path(helmguard.tui.__file__).parent


@pytest.fixture
def planned() -> Planned:
    return Planned(plan_demo(), None, PlanForm("gpu-operator", "gpu-operator"))


def test_a_run_is_not_even_made(planned: Planned) -> None:
    with pytest.raises(UsageError, match=REFUSED) as caught:
        HelmAtWork(TuiOptions(), planned)
    assert "--allow-changes" in caught.value.remedy
    HelmAtWork(TuiOptions(allow_changes=True), planned)


def test_a_verification_that_was_stopped_has_not_failed(planned: Planned) -> None:
    def ended(*, stopped: bool) -> str:
        work = HelmAtWork(TuiOptions(allow_changes=True), planned, clock=lambda: 0.0)
        work._phase, work._began = "verification", {"verification": 0.0}
        if stopped:
            work.ask_to_stop()
        work.end = replace(outcome(), verification=None, unverified="interrupted")
        return work.phases()[-1].state

    assert ended(stopped=True) == "stopped"
    assert ended(stopped=False) == "failed"


@pytest.mark.parametrize("screen", [ApproveDialog, ExecutionScreen])
def test_the_screens_say_so(screen: type[ApproveDialog | ExecutionScreen], planned: Planned) -> None:
    async def run() -> None:
        async with shown(screen(planned)) as pilot:
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
            page = text_of(pilot)
            assert REFUSED in page
            assert "--allow-changes" in page
            assert "yes" not in page
            await pilot.press(*"yes", "enter")
            assert pilot.app.helm_at_work is None  # type: ignore[attr-defined]

    asyncio.run(run())


def test_there_is_no_other_way_to_a_run() -> None:
    """What starts helm is imported by `sources.execution`, which `helm_at_work` alone calls."""
    found = {
        (file.relative_to(TUI).as_posix(), name.name)
        for file in TUI.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if name.name in LETS_GO
    }
    assert found == {("helm_at_work.py", "Run"), ("sources/execution.py", "carry_out")}
