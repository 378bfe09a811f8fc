"""What is in front when the interface starts with a bundle or the demo."""

from __future__ import annotations

import asyncio
from pathlib import Path

from given_source import NOW
from one_screen import text_of
from settled import press, settled
from shop_release import until

from helmguard.planner.demo import demo_bundle
from helmguard.tui.app import HelmguardApp
from helmguard.tui.screens.opening import OpeningScreen
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.sources.bundle import BundleSource


def test_the_demo_begins_with_its_plan_and_the_release_is_behind_it() -> None:
    async def run() -> None:
        app = HelmguardApp(BundleSource(demo_bundle(), "demo"), clock=lambda: NOW)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, PlanScreen) and app.screen.shown is not None)
            await settled(pilot)
            assert "1 BLOCKER" in text_of(pilot)
            names = [type(screen).__name__ for screen in app.screen_stack[1:]]
            assert names == ["ReleasesScreen", "ReleaseScreen", "PlanScreen"]
            await press(pilot, "m")
            assert "BLOCKER" not in text_of(pilot) and "passes" in text_of(pilot)
            await press(pilot, ["escape", "p"])
            assert "--set toolkit.enabled=true" in text_of(pilot)

    asyncio.run(run())


def test_a_bundle_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    async def run() -> None:
        app = HelmguardApp(BundleSource(tmp_path / "none"), clock=lambda: NOW)
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            assert isinstance(app.screen, OpeningScreen)
            assert "no such bundle" in text_of(pilot) and "ctrl+r tries again" in text_of(pilot)
            await press(pilot, ["ctrl+r", "escape"])
            assert not isinstance(app.screen, OpeningScreen)

    asyncio.run(run())
