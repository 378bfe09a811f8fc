"""Which screens the interface starts with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textual.screen import Screen

from helmguard.tui.options import TuiOptions
from helmguard.tui.sources.source import Source


def first_screens(source: Source, options: TuiOptions) -> Iterator[Screen[Any]]:
    """The list of releases, and in front of it what was asked for.

    A bundle has one release and one plan, a saved plan is nothing else: these are opened at once.
    """
    from helmguard.tui.screens.releases import ReleasesScreen
    from helmguard.tui.sources.bundle import BundleSource
    from helmguard.tui.sources.saved import SavedPlanSource

    if isinstance(source, SavedPlanSource):
        from helmguard.tui.screens.saved_plan import SavedPlanScreen

        yield SavedPlanScreen(source)
        return
    yield ReleasesScreen()
    if isinstance(source, BundleSource):
        from helmguard.tui.screens.opening import OpeningScreen

        yield OpeningScreen(source)
    elif options.release:
        from helmguard.tui.screens.release import ReleaseScreen

        yield ReleaseScreen(options.namespace, options.release)
