"""From the form to a saved plan, with the real Helm and API server."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from one_screen import text_of
from settled import press
from shop_release import FILES, Shop, opened, until
from textual.widgets import Input, TextArea
from which_helm import with_helm_3

from helmguard.model.execution import Acceptance
from helmguard.saved_plan.read import read_saved_plan
from helmguard.tui.app import HelmguardApp
from helmguard.tui.dialogs.plan_form import PlanFormDialog
from helmguard.tui.dialogs.save_plan import SavePlanDialog
from helmguard.tui.options import TuiOptions
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.screens.saved_plan import SavedPlanScreen
from helmguard.tui.sources.saved import SavedPlanSource


@with_helm_3
def test_form_plan_mode_save(
    helm: Helm, control_plane: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = write_chart(tmp_path / "shop", FILES)
    helm.run("install", "shop", chart, "--set", "colour=green")
    shop = Shop(helm, control_plane, chart, tmp_path / "audit.jsonl")
    made, frozen = tmp_path / "saved.hgplan", tmp_path / "frozen"
    frozen.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(frozen))

    async def run() -> None:
        async with opened(shop, allow_changes=False) as pilot:
            app = pilot.app
            form = PlanFormDialog(shop.form(mode=""))
            app.push_screen(form, lambda filled: filled and app.push_screen(PlanScreen(filled)))
            await until(pilot, lambda: bool(form.query("#sets")))
            form.query_one("#sets", TextArea).text = "keep=true"
            await pilot.press("ctrl+s")
            await until(pilot, lambda: isinstance(app.screen, PlanScreen) and app.screen.shown is not None)
            screen = app.screen
            assert isinstance(screen, PlanScreen)
            await until(pilot, lambda: "loses 1: colour" in text_of(pilot))
            await pilot.press("2")
            await until(
                pilot, lambda: screen.shown is not None and screen.shown.form.mode == "reuse", seconds=60
            )
            await until(pilot, lambda: "(*) 2 reuse" in text_of(pilot))
            await until(pilot, lambda: all(worker.is_finished for worker in app.workers), seconds=60)
            assert len(list(frozen.iterdir())) == 3

            screen._acceptances["delete-pvc"] = Acceptance("delete-pvc", "moved")
            await press(pilot, "s")
            dialog = app.screen
            assert isinstance(dialog, SavePlanDialog)
            dialog.query_one("#file", Input).value = str(chart / "values.yaml")
            await press(pilot, ["enter"])
            assert "exists and is no saved plan" in text_of(pilot)
            dialog.query_one("#file", Input).value = str(made)
            dialog.query_one("#keys", Input).value = "no-such-key"
            await press(pilot, ["enter"])
            assert "'no-such-key': no key, and no such file" in text_of(pilot)
            dialog.query_one("#keys", Input).value = ""
            await press(pilot, ["enter"])
            await until(pilot, lambda: "Saved to" in text_of(pilot))
            assert "It holds the chart and the values" in text_of(pilot)
            assert "delete-pvc=REASON" in text_of(pilot)
            await press(pilot, ["enter"])
            assert app.screen is screen
        assert list(frozen.iterdir()) == []

    asyncio.run(run())
    saved = read_saved_plan(str(made), None)
    assert "--reuse-values" in saved.header.command and saved.header.release == "shop"
    assert not saved.masked_plan().has_changes

    async def review() -> None:
        app = HelmguardApp(SavedPlanSource(str(made)), TuiOptions())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(
                pilot, lambda: isinstance(app.screen, SavedPlanScreen) and app.screen.shown is not None
            )
            await pilot.pause()
            assert "Plan: shop 1" in text_of(pilot) and "Saved 20" in text_of(pilot)
            assert "reset-then-reuse" not in text_of(pilot)
            await press(pilot, ["escape", "m", "e", "s", "a"])
            assert isinstance(app.screen, SavedPlanScreen)

    asyncio.run(review())
