"""While helm is at work no second run begins, however one comes to another plan."""

from __future__ import annotations

import pytest
from given_run import EndedRun, GivenRun, show_run
from given_source import GivenSource
from settled import press, settled
from stations import Station, visit
from textual.pilot import Pilot

from helmguard.errors import UsageError
from helmguard.tui.dialogs.approve import ApproveDialog
from helmguard.tui.helm_at_work import HelmAtWork
from helmguard.tui.screens.plan import PlanScreen


def _source() -> GivenSource:
    source = GivenSource.usual()
    source.can_execute = True
    return source


ROLLBACK = Station("rollback", _source, ("r",), {"release": "web", "allow_changes": True})


@pytest.mark.parametrize("run", [GivenRun, EndedRun])
def test_another_plan_is_applied_once_helm_has_ended(run: type[HelmAtWork]) -> None:
    async def look(pilot: Pilot[int]) -> None:
        app = pilot.app
        await show_run(pilot, run)
        first = app.helm_at_work  # type: ignore[attr-defined]
        await settled(pilot)
        # As the command palette does it.
        app.open_release("shop", "web")  # type: ignore[attr-defined]
        await press(pilot, "ra")
        said = " ".join(notification.message for notification in app._notifications)
        if not first.is_going:
            assert isinstance(app.screen, ApproveDialog)
            return
        assert isinstance(app.screen, PlanScreen)
        assert "helm is at work on shop/web" in said
        with pytest.raises(UsageError, match="helm is at work"):
            app.begin(first)  # type: ignore[attr-defined]
        assert app.helm_at_work is first  # type: ignore[attr-defined]

    visit(ROLLBACK, look)
