"""Which keys a run of helm offers: none that would do nothing."""

from __future__ import annotations

import pytest
from stations import STATIONS, visit
from textual.pilot import Pilot

from helmguard.tui.screens.execution import ExecutionScreen

KEYS = ("stop", "roll_back", "verify", "log", "status", "copy")
AFTER = frozenset(KEYS) - {"stop"}


@pytest.mark.parametrize(("name", "offered"), [("run", {"stop"}), ("ended", AFTER)])
def test_a_run_offers_what_can_be_done_then(name: str, offered: set[str]) -> None:
    async def look(pilot: Pilot[int]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, ExecutionScreen)
        assert {action for action in KEYS if screen.check_action(action, ())} == offered

    visit(next(each for each in STATIONS if each.name == name), look)
