"""Waiting for the interface to come to rest, by conditions and not by time.

`Pilot.pause` and `Pilot.press` wait until the processor is idle, which takes long on a busy machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from given_source import GivenSource
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

_TURNS = 4000
_TURN_SECONDS = 0.005
_QUIET_TURNS = 4
"""A message that begets another needs a turn for each."""


async def settled(pilot: Pilot[Any], until: Callable[[], bool] = lambda: True) -> None:
    """No work goes on (but what a source holds back), every message is answered, and ``until`` is true."""
    quiet = 0
    for _ in range(_TURNS):
        await pilot._wait_for_screen()
        pilot.app.screen._on_timer_update()
        quiet = 0 if _is_busy(pilot) or not until() else quiet + 1
        if quiet >= _QUIET_TURNS:
            return
        await asyncio.sleep(_TURN_SECONDS if quiet == 0 else 0)
    raise AssertionError(f"never at rest: {[each for each in pilot.app.workers if not each.is_finished]}")


async def press(pilot: Pilot[Any], keys: Iterable[str]) -> None:
    """One key after the other, each once the last one's work is done."""
    await settled(pilot)
    for key in keys:
        name = _character_to_key(key) if len(key) == 1 else key
        event = events.Key(name, key if len(key) == 1 else None)
        event.set_sender(pilot.app)
        pilot.app.post_message(event)
        await settled(pilot)


async def steady(pilot: Pilot[Any]) -> None:
    """Nothing blinks."""
    for screen in pilot.app.screen_stack:
        for line in screen.query(Input):
            line.cursor_blink = False
        for area in screen.query(TextArea):
            area.cursor_blink = False
    await settled(pilot)


def _is_busy(pilot: Pilot[Any]) -> bool:
    if getattr(pilot.app, "is_answering", False):
        return True
    source = getattr(pilot.app, "source", None)
    if isinstance(source, GivenSource) and source.is_held:
        return False
    return any(not worker.is_finished for worker in pilot.app.workers)
