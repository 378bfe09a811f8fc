"""The interface in review mode, walked through by its keys, sends what changes nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from controlplane.audited_user import AuditedUser
from kept_state import kept_state
from released import Released
from textual.pilot import Pilot
from textual.widgets import Input

from helmguard.cluster.kube_options import KubeOptions
from helmguard.tui.app import HelmguardApp
from helmguard.tui.dialogs.save_plan import SavePlanDialog
from helmguard.tui.options import TuiOptions
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.object import ObjectScreen
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.screens.release import ReleaseScreen
from helmguard.tui.screens.text import TextScreen
from helmguard.tui.sources.cluster import ClusterSource

_SECONDS = 60.0


@pytest.mark.parametrize("released", ["helm4"], indirect=True)
def test_the_interface_writes_nothing(released: Released, audited_user: AuditedUser, tmp_path: Path) -> None:
    before = kept_state(released.cluster, released.helm.namespace)
    asyncio.run(_walk(_program(released, audited_user), released, tmp_path))
    requests = audited_user.requests()
    assert {"secrets", "configmaps", "deployments"} <= {request.resource for request in requests}
    assert [request for request in requests if not request.changes_nothing] == []
    assert any(request.dry_run for request in requests)
    assert kept_state(released.cluster, released.helm.namespace) == before


def _program(released: Released, user: AuditedUser) -> HelmguardApp:
    helm = released.helm
    words = (f"--kubeconfig={user.kubeconfig}", f"--helm-bin={helm.binary}")
    kube = KubeOptions(kubeconfig=str(user.kubeconfig), namespace=helm.namespace, driver="secret")
    source = ClusterSource(kube, helm_binary=str(helm.binary), common_words=words, all_namespaces=False)
    options = TuiOptions(namespace=helm.namespace, all_namespaces=False, common_words=words)
    return HelmguardApp(source, options)


async def _walk(app: HelmguardApp, released: Released, folder: Path) -> None:
    """Every screen that asks the cluster, and the keys that would change something."""
    saved = folder / "web.hgplan"
    async with app.run_test(size=(120, 40)) as pilot:
        await _until(pilot, lambda: "web" in _seen(pilot))
        await pilot.press("d")
        await _until(pilot, lambda: "~2" in _seen(pilot))
        await pilot.press("enter")
        await _until(pilot, lambda: isinstance(app.screen, ReleaseScreen) and "1 → 2" in _seen(pilot))
        await pilot.press("l")
        await _until(pilot, lambda: "revision 2 and live" in _seen(pilot))
        await pilot.press("i")
        await _until(pilot, lambda: isinstance(app.screen, TextScreen) and "revision 2" in _seen(pilot))
        await pilot.press("escape")
        screen = PlanScreen(PlanForm("web", released.helm.namespace, str(released.charts / "next")))
        app.push_screen(screen)
        await _until(pilot, lambda: screen.shown is not None and not screen.is_busy)
        await pilot.press("m")
        await _until(
            pilot, lambda: not screen.is_busy and screen.shown is not None and bool(screen.shown.form.mode)
        )
        await pilot.press("o", "down", "enter")
        await _until(pilot, lambda: isinstance(app.screen, ObjectScreen))
        await pilot.press("M", "y", "escape", "escape")
        await _until(pilot, lambda: app.screen is screen)
        await pilot.press("a")
        assert app.screen is screen
        await pilot.press("s")
        await _until(pilot, lambda: isinstance(app.screen, SavePlanDialog))
        app.screen.query_one("#file", Input).value = str(saved)
        await pilot.press("enter")
        await _until(pilot, saved.exists)
        await pilot.press("escape")
        rollback = PlanScreen(PlanForm("web", released.helm.namespace, rollback_to=1))
        app.push_screen(rollback)
        await _until(pilot, lambda: rollback.shown is not None and not rollback.is_busy)
        await pilot.press("a", "q")
    assert app.return_code == 0


def _seen(pilot: Pilot[int]) -> str:
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def _until(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _SECONDS
    while not condition():
        assert time.monotonic() < deadline, _seen(pilot)
        await pilot.pause(0.02)
