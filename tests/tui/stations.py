"""Places in the interface that the tests go to: each a source and the keys that lead there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
from given_source import NOW, GivenSource
from textual.pilot import Pilot

from helmguard.tui.app import HelmguardApp
from helmguard.tui.options import TuiOptions


class Station(msgspec.Struct, frozen=True):
    """``options`` are those of `TuiOptions` that differ from the usual ones."""

    name: str
    source: Callable[[], GivenSource]
    keys: tuple[str, ...] = ()
    options: dict[str, object] = {}


STATIONS = (
    Station("releases", GivenSource.usual),
    Station("release", GivenSource.usual, options={"release": "web"}),
    Station("help", GivenSource.usual, ("question_mark",)),
)


def app_of(station: Station, **options: object) -> HelmguardApp:
    """The program as it is started there."""
    return HelmguardApp(station.source(), TuiOptions(**{**station.options, **options}), clock=lambda: NOW)


def visit(
    station: Station,
    look: Callable[[Pilot[int]], Awaitable[None]],
    *,
    size: tuple[int, int] = (80, 24),
    **options: object,
) -> None:
    """Start the program and ``look``; it presses the keys itself."""

    async def run() -> None:
        async with app_of(station, **options).run_test(size=size) as pilot:
            await look(pilot)

    asyncio.run(run())
