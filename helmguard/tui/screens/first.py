"""Which screens the interface starts with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textual.screen import Screen

from helmguard.tui.options import TuiOptions


def first_screens(options: TuiOptions) -> Iterator[Screen[Any]]:
    """The list of releases, and in front of it the release that was asked for."""
    from helmguard.tui.screens.releases import ReleasesScreen

    yield ReleasesScreen()
    if options.release:
        from helmguard.tui.screens.release import ReleaseScreen

        yield ReleaseScreen(options.namespace, options.release)
