"""Waiting for the interface to come to rest, by conditions and not by time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from given_source import GivenSource
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

_TURNS = 2000
_TURN_SECONDS = 0.005


async def settled(pilot: Pilot[Any], until: Callable[[], bool] = lambda: True) -> None:
    """No work goes on (but what a source holds back), nothing is to be drawn, and ``until`` is true."""
    quiet = 0
    for _ in range(_TURNS):
        await pilot.pause()
        quiet = 0 if _is_busy(pilot) or not until() else quiet + 1
        if quiet >= 3:
            return
        await asyncio.sleep(_TURN_SECONDS if quiet == 0 else 0)
    raise AssertionError(
        f"never at rest: {[worker for worker in pilot.app.workers if not worker.is_finished]}"
    )


async def press(pilot: Pilot[Any], keys: Iterable[str]) -> None:
    """One key after the other, each once the last one's work is done; cursors do not blink."""
    await settled(pilot)
    for key in keys:
        await pilot.press(key)
        await settled(pilot)
    for screen in pilot.app.screen_stack:
        for line in screen.query(Input):
            line.cursor_blink = False
        for area in screen.query(TextArea):
            area.cursor_blink = False
    await settled(pilot)


def _is_busy(pilot: Pilot[Any]) -> bool:
    source = getattr(pilot.app, "source", None)
    if isinstance(source, GivenSource) and source.is_held:
        return False
    return any(not worker.is_finished for worker in pilot.app.workers)
