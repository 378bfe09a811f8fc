"""Places in the interface that the tests go to: each a source and the keys that lead there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec
from given_run import EndedRun, GivenRun, show_run
from given_source import NOW, UNREACHABLE, GivenSource
from settled import press, settled, steady
from textual.pilot import Pilot

from helmguard.planner.demo import demo_bundle
from helmguard.tui.app import HelmguardApp
from helmguard.tui.options import TuiOptions
from helmguard.tui.sources.bundle import BundleSource
from helmguard.tui.sources.source import Source

NARROW, WIDE = (80, 24), (200, 60)

MakeSource: TypeAlias = Callable[[], Source]


class Station(msgspec.Struct, frozen=True):
    """``keys`` are keys, ``<hold>`` and ``<fail>`` for what the source does next, ``type:TEXT``, and
    ``<run>`` and ``<ended>`` for a run of the plan that is shown.

    ``options`` are those of `TuiOptions` that differ from the usual ones. ``asked`` is what the source is
    asked at last, after the cursor has rested.
    """

    name: str
    source: MakeSource
    keys: tuple[str, ...] = ()
    options: dict[str, object] = {}
    asked: str = ""


def _held() -> GivenSource:
    source = GivenSource.usual()
    source.hold()
    return source


def _failing() -> GivenSource:
    source = GivenSource.usual()
    source.failing = UNREACHABLE
    return source


def _forbidden() -> GivenSource:
    return GivenSource.empty("only namespace shop: you may not list the others")


def _executing() -> GivenSource:
    source = GivenSource.usual()
    source.can_execute = True
    return source


def _large() -> GivenSource:
    """Large enough to fill every screen; benchmarks/tui.py has the really large one."""
    return GivenSource.large(300, 80)


def _demo() -> Source:
    return BundleSource(demo_bundle(), "demo")


_WEB: dict[str, object] = {"release": "web"}
_PLANNED = ("p", "type:./web", "enter")

RELEASES = Station("releases", GivenSource.usual)
RELEASES_WIDE = Station("releases", GivenSource.usual, asked="open_release")
RELEASE = Station("release", GivenSource.usual, options=_WEB)
PLAN = Station("plan", _demo)
ROLLBACK = Station("rollback", GivenSource.usual, ("r",), _WEB)
OBJECT = Station("object", _demo, ("o", "j", "enter"))
YAML = Station("yaml", GivenSource.usual, ("y",), _WEB)
ENDED = Station("ended", _executing, ("r", "<ended>"), {**_WEB, "allow_changes": True})

STATIONS = (
    RELEASES,
    Station("releases-empty", GivenSource.empty),
    Station("releases-forbidden", _forbidden),
    Station("releases-loading", _held),
    Station("releases-error", _failing),
    Station("releases-many", GivenSource.many),
    Station("releases-filtered", GivenSource.many, ("slash", "type:web")),
    Station("releases-hostile", GivenSource.hostile),
    Station("releases-drift", GivenSource.usual, ("d",)),
    Station("namespace-dialog", GivenSource.usual, ("N",)),
    RELEASE,
    Station("release-loading", _held, options=_WEB),
    Station("release-error", _failing, options=_WEB),
    Station("release-live", GivenSource.usual, ("l",), _WEB),
    Station("release-hostile", GivenSource.hostile, ("enter",)),
    Station("release-large", _large, options={"release": "estate"}),
    PLAN,
    Station("plan-reuse", _demo, ("m",)),
    Station("plan-loading", GivenSource.usual, ("p", "type:./web", "<hold>", "enter"), _WEB),
    Station("plan-error", GivenSource.usual, ("p", "type:./web", "<fail>", "enter"), _WEB),
    Station("plan-form", GivenSource.usual, ("p",), _WEB),
    Station("plan-drift", GivenSource.usual, _PLANNED, _WEB),
    ROLLBACK,
    Station("plan-large", _large, ("p", "type:./estate", "enter"), {"release": "estate"}),
    OBJECT,
    Station("object-yaml", GivenSource.usual, ("r", "o", "j", "enter", "y"), _WEB),
    YAML,
    Station("yaml-large", _large, ("y",), {"release": "dashboards"}),
    Station("waive-dialog", GivenSource.usual, (*_PLANNED, "w"), _WEB),
    Station("command-dialog", GivenSource.usual, ("r", "c"), _WEB),
    Station("status", GivenSource.usual, ("i",), {"release": "prom"}),
    Station("run", _executing, ("r", "<run>"), {**_WEB, "allow_changes": True}),
    ENDED,
    Station("help", GivenSource.usual, ("question_mark",)),
    Station("palette", GivenSource.usual, ("colon",)),
)

_STATES = (
    "loading",
    "error",
    "empty",
    "large",
    "reuse",
    "live",
    "drift",
    "forbidden",
    "filtered",
    "many",
    "hostile",
)
POOR = tuple(each for each in STATIONS if each.name.rpartition("-")[2] not in _STATES)
"""One of each screen and dialog."""

_ROOMY = (120, 34)
PICTURES = (
    (Station("releases", GivenSource.usual, ("d", "G"), asked="open_release"), _ROOMY),
    (Station("release", GivenSource.usual, options=_WEB), _ROOMY),
    (PLAN, _ROOMY),
    (Station("three-way", _demo, ("o", "j", "enter")), _ROOMY),
    (YAML, _ROOMY),
    (Station("run", ENDED.source, ENDED.keys, ENDED.options), _ROOMY),
)
"""Those of the documentation, and their sizes."""


def app_of(station: Station, **options: object) -> HelmguardApp:
    """The program as it is started there."""
    return HelmguardApp(station.source(), TuiOptions(**{**station.options, **options}), clock=lambda: NOW)


async def go(pilot: Pilot[int], station: Station) -> None:
    """Press the keys."""
    await settled(pilot)
    source = pilot.app.source  # type: ignore[attr-defined]
    for key in station.keys:
        if key == "<hold>":
            source.hold()
        elif key == "<fail>":
            source.failing = UNREACHABLE
        elif key in ("<run>", "<ended>"):
            await show_run(pilot, GivenRun if key == "<run>" else EndedRun)
        else:
            await press(pilot, key.removeprefix("type:") if key.startswith("type:") else [key])
    if station.asked:
        await settled(pilot, lambda: station.asked in source.asked)
    await steady(pilot)


def visit(
    station: Station,
    look: Callable[[Pilot[int]], Awaitable[None]],
    *,
    size: tuple[int, int] = NARROW,
    **options: object,
) -> None:
    """Start the program, go there, and ``look``."""

    async def run() -> None:
        async with app_of(station, **options).run_test(size=size) as pilot:
            await go(pilot, station)
            await look(pilot)

    asyncio.run(run())
