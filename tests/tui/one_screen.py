"""A program that shows one screen and has no releases, and what it shows as text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

from settled import press as press_keys
from settled import settled
from textual.pilot import Pilot
from textual.screen import Screen

from helmguard.tui.app import HelmguardApp
from helmguard.tui.options import TuiOptions
from helmguard.tui.sources.source import Source


class NoSource:
    """A source that nothing is asked of."""

    label = "no source"
    can_execute = False


@asynccontextmanager
async def shown(
    screen: Screen[Any], *, size: tuple[int, int] = (100, 30), options: TuiOptions | None = None
) -> AsyncIterator[Pilot[int]]:
    """Run a program with this screen in front."""
    import helmguard.tui.screens.first as first

    before = first.first_screens
    first.first_screens = lambda *_: iter([screen])  # type: ignore[assignment]
    try:
        async with HelmguardApp(cast(Source, NoSource()), options).run_test(size=size) as pilot:
            await settled(pilot)
            yield pilot
    finally:
        first.first_screens = before


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys one after the other, each answered, with what was begun in the background done."""
    await press_keys(pilot, keys)


async def type_text(pilot: Pilot[int], text: str) -> None:
    """Type a text."""
    await press_keys(pilot, text)


def text_of(pilot: Pilot[int]) -> str:
    """What is seen, line by line."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)
