"""The live side of a check: nothing, a bundle of one release, or the cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from helmguard.model.check_report import LiveSide
from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.discovery import Discovery
from helmguard.model.plan import Plan
from helmguard.model.release import History
from helmguard.planner.inputs import PlanInputs


class LiveRelease(msgspec.Struct, frozen=True):
    """What is known of one release's live side: ``judged`` completes the inputs with it and judges them.

    ``history`` is the cluster's, None where the base side stands in for it.
    """

    judged: Callable[[PlanInputs], Plan]
    history: History | None = None


class Live(Protocol):
    """Where the live side comes from."""

    @property
    def side(self) -> LiveSide:
        """What it is."""
        ...

    @property
    def discovery(self) -> Discovery | None:
        """What the cluster serves, None where nobody knows."""
        ...

    def of(self, declared: DeclaredRelease) -> LiveRelease | None:
        """The live side of a release; None where this has none of it.

        Raises:
            HelmguardError: it cannot be read.
        """
        ...


class NoLive(msgspec.Struct, frozen=True):
    """Two renderings alone."""

    side: LiveSide = "none"
    discovery: Discovery | None = None

    def of(self, _: DeclaredRelease) -> LiveRelease | None:
        """None of any."""
        return None
