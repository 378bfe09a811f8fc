"""From a release to a plan, through the gate, to a run and its end: with the real Helms and API server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from one_screen import text_of
from shop_release import FILES, Shop, answered, asked, done, opened, planned, until
from textual.pilot import Pilot
from textual.widgets import Input, TextArea
from which_helm import with_helm_3, with_helm_4

from helmguard.execute import acted
from helmguard.execute.carry_out import Outcome
from helmguard.execute.gate import Stop
from helmguard.tui.dialogs.leave import LeaveDialog
from helmguard.tui.dialogs.plan_form import PlanFormDialog
from helmguard.tui.dialogs.waive import WaiveDialog
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.screens.release import ReleaseScreen
from helmguard.tui.screens.releases import ReleasesScreen
from helmguard.tui.screens.text import TextScreen


@pytest.fixture
def shop(helm: Helm, control_plane: ControlPlane, tmp_path: Path) -> Shop:
    chart = write_chart(tmp_path / "shop", FILES)
    helm.run("install", "shop", chart)
    return Shop(helm, control_plane, chart, tmp_path / "audit.jsonl")


def with_program(
    shop: Shop, flow: Callable[[Pilot[int]], Awaitable[None]], *, size: tuple[int, int] = (100, 30)
) -> int | None:
    """Run the flow; the program's exit code, None where the flow has not left it."""

    async def run() -> int | None:
        async with opened(shop, size=size) as pilot:
            await flow(pilot)
        return pilot.app.return_code

    return asyncio.run(run())


def test_from_the_releases_to_a_verified_upgrade(shop: Shop) -> None:
    async def flow(pilot: Pilot[int]) -> None:
        app = pilot.app
        await until(pilot, lambda: "shop" in text_of(pilot) and isinstance(app.screen, ReleasesScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReleaseScreen) and app.screen.opened is not None)
        release = app.screen
        await pilot.press("p")
        await until(pilot, lambda: isinstance(app.screen, PlanFormDialog))
        app.screen.query_one("#chart", Input).value = str(shop.chart)
        app.screen.query_one("#sets", TextArea).text = "colour=red"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, PlanScreen) and app.screen.shown is not None)
        await asked(pilot)
        page = text_of(pilot)
        assert "Upgrade shop in namespace" in page
        assert "Only 'yes' is accepted:" in page
        assert "helm upgrade shop" in page
        assert f"{shop.chart} \\" in page
        await pilot.press(*"no", "enter")
        assert "That is not the answer; nothing was changed." in text_of(pilot)
        assert shop.statuses() == ["deployed"]
        screen = await answered(pilot)
        page = await done(pilot, screen)
        assert "revision 2 is deployed and as planned" in page
        assert "helmguard rollback shop 1" in page
        assert acted.status_command() == ""
        await pilot.press("l")
        await until(pilot, lambda: "ConfigMap/shop" in text_of(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is release and "revision 1 → 2" in text_of(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ReleasesScreen))
        await until(pilot, lambda: [row.release.version for row in app.screen.every] == [2])
        await pilot.press("q")

    assert with_program(shop, flow) == 0
    assert (shop.colour(), shop.statuses()) == ("red", ["superseded", "deployed"])
    assert shop.decisions() == ["started", "ended"]


@with_helm_4
def test_rolled_back_from_the_end_of_an_upgrade(shop: Shop) -> None:
    async def flow(pilot: Pilot[int]) -> None:
        app = pilot.app
        await planned(pilot, shop.form("colour=red"))
        await asked(pilot)
        await done(pilot, await answered(pilot))
        await pilot.press("v")
        await until(pilot, lambda: "2 objects compared" in text_of(pilot))
        await pilot.press("i")
        await until(pilot, lambda: isinstance(app.screen, TextScreen) and "revision 2" in text_of(pilot))
        await pilot.press("escape", "r")
        await until(pilot, lambda: isinstance(app.screen, PlanScreen) and app.screen.shown is not None)
        await asked(pilot)
        assert "Roll back shop in namespace" in text_of(pilot)
        screen = await answered(pilot)
        assert "revision 3 is deployed and as planned" in await done(pilot, screen)
        await pilot.press("q")

    assert with_program(shop, flow) == 0
    assert (shop.colour(), shop.statuses()) == ("blue", ["superseded", "superseded", "deployed"])


@with_helm_3
def test_esc_is_no(shop: Shop) -> None:
    async def flow(pilot: Pilot[int]) -> None:
        screen = await planned(pilot, shop.form("colour=red"))
        await asked(pilot)
        await pilot.press(*"yes", "escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("q")

    assert with_program(shop, flow) == 0
    assert (shop.statuses(), shop.decisions()) == (["deployed"], ["declined"])


@pytest.fixture
def volume(control_plane: ControlPlane, namespace: str) -> Iterator[None]:
    """For the release's claim. A claim that is there before its volume waits for it a quarter of a minute."""
    spec = {
        "capacity": {"storage": "1Gi"},
        "accessModes": ["ReadWriteOnce"],
        "hostPath": {"path": "/none"},
        "persistentVolumeReclaimPolicy": "Delete",
        "claimRef": {"namespace": namespace, "name": "data"},
    }
    control_plane.create("/api/v1/persistentvolumes", {"metadata": {"name": namespace}, "spec": spec})
    yield
    control_plane.remove(f"/api/v1/persistentvolumes/{namespace}")


@with_helm_3
def test_the_gate_refuses_until_it_is_accepted_and_then_wants_the_name(volume: None, shop: Shop) -> None:
    """The claim goes with ``keep``, and the data with it."""
    claim = f"/api/v1/namespaces/{shop.helm.namespace}/persistentvolumeclaims/data"
    shop.cluster.wait_for(claim, lambda found: found is not None and found["status"]["phase"] == "Bound")

    async def flow(pilot: Pilot[int]) -> None:
        app = pilot.app
        screen = await planned(pilot, shop.form("keep=false"))
        dialog = await asked(pilot)
        page = text_of(pilot)
        assert "Refused: 1 " in page, page
        assert "PersistentVolumeClaim/data" in page
        assert "w on the plan" in page
        assert not dialog.query_one(Input).display
        await pilot.press(*"yes", "enter", "escape")
        assert shop.statuses() == ["deployed"]
        await pilot.press("f", "w")
        await until(pilot, lambda: isinstance(app.screen, WaiveDialog))
        app.screen.query_one("#reason", Input).value = "the data was moved"
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen)
        await asked(pilot)
        page = text_of(pilot)
        assert "delete-pvc: the data was moved" in page
        assert "Type the release's name to go on:" in " ".join(page.replace("│", " ").split())
        await pilot.press(*"yes", "enter")
        assert "That is not the answer" in text_of(pilot)
        assert shop.statuses() == ["deployed"]
        ran = await answered(pilot, "shop")
        await done(pilot, ran)
        assert isinstance(ran.ended, Outcome)
        assert ran.ended.execution.end == "succeeded"
        assert app.screen is ran

    with_program(shop, flow)
    assert shop.statuses() == ["superseded", "deployed"]
    assert shop.decisions() == ["refused", "started", "ended"]
    started = json.loads(shop.audit_log.read_text().splitlines()[1])
    assert started["accepted"] == [{"rule": "delete-pvc", "reason": "the data was moved"}]


@with_helm_3
def test_what_has_changed_at_the_question_counts(shop: Shop) -> None:
    async def flow(pilot: Pilot[int]) -> None:
        screen = await planned(pilot, shop.form("colour=red"))
        await asked(pilot)
        shop.helm.run("upgrade", "shop", shop.chart, "--set", "colour=brown")
        ran = await answered(pilot)
        page = await done(pilot, ran)
        assert isinstance(ran.ended, Stop)
        assert "STALE" in page
        assert "nothing was changed. Exit 3." in page
        await pilot.press("escape")
        # It is planned anew, for the release as it is now.
        await until(
            pilot,
            lambda: (
                pilot.app.screen is screen
                and not screen.is_busy
                and screen.shown is not None
                and screen.shown.plan.release.from_revision == 2
            ),
        )
        await pilot.press("q")

    assert with_program(shop, flow) == 3
    assert (shop.colour(), shop.decisions()) == ("brown", ["stale"])


@with_helm_3
def test_a_failure_tells_what_was_done_and_the_way_out(shop: Shop) -> None:
    async def flow(pilot: Pilot[int]) -> None:
        await planned(pilot, shop.form("colour=red", "hook=true"))
        await asked(pilot)
        ran = await answered(pilot)
        await until(pilot, lambda: "Pod/migrate" in text_of(pilot))
        await asyncio.to_thread(shop.end_hook, "Failed")
        page = await done(pilot, ran)
        assert "FAILED" in page
        assert "not done     ConfigMap/shop" in page
        assert "helmguard status shop" in page
        assert "Exit 1." in page
        await pilot.press("q")

    assert with_program(shop, flow) == 1
    assert (shop.colour(), shop.statuses()) == ("blue", ["deployed", "failed"])


@with_helm_4
def test_stopped_while_a_hook_hangs(shop: Shop) -> None:
    async def flow(pilot: Pilot[int]) -> None:
        app = pilot.app
        await planned(pilot, shop.form("colour=red", "hook=true"))
        await asked(pilot)
        ran = await answered(pilot)
        await asyncio.to_thread(shop.await_hook)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LeaveDialog))
        page = text_of(pilot)
        assert "Helm is at work" in page
        assert "marks the revision as failed" in page
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is ran)
        await pilot.press("ctrl+c")
        page = await done(pilot, ran)
        assert "STOPPED" in page
        assert "Exit 130." in page
        await pilot.press("l")
        assert "helm was asked to stop, and marks the revision as failed" in text_of(pilot)
        await pilot.press("q")

    assert with_program(shop, flow) == 130
    assert (shop.colour(), shop.statuses()) == ("blue", ["deployed", "failed"])
    assert shop.decisions() == ["started", "ended"]


@with_helm_3
def test_left_while_helm_goes_on(shop: Shop) -> None:
    async def flow(pilot: Pilot[int]) -> None:
        app = pilot.app
        await planned(pilot, shop.form("colour=red", "hook=true"))
        await asked(pilot)
        ran = await answered(pilot)
        await asyncio.to_thread(shop.await_hook)
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, LeaveDialog))
        await pilot.press("l")
        assert ran.ended is None

    async def run() -> None:
        async with opened(shop) as pilot:
            await flow(pilot)
        app = pilot.app
        assert app.return_code == 1
        assert "goes on by itself" in acted.what_was_done()
        assert "helmguard status shop" in acted.status_command()
        work = app.helm_at_work  # type: ignore[attr-defined]
        shop.end_hook("Succeeded")
        work.wait_unseen(15)
        work.all_told()

    asyncio.run(run())
    assert (shop.colour(), shop.statuses()) == ("red", ["superseded", "deployed"])
