"""A bundle as the live side: of the one release that it holds."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from helmguard.check.live_side import LiveRelease
from helmguard.model.check_report import LiveSide
from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.discovery import Discovery
from helmguard.model.plan import Plan
from helmguard.planner.bundle_contents import BundleContents
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.judge_offline import judged_offline


class BundleLive(msgspec.Struct, frozen=True):
    """``contents`` has been read; its folder is not needed any more."""

    contents: BundleContents

    @property
    def side(self) -> LiveSide:
        """A bundle."""
        return "bundle"

    @property
    def discovery(self) -> Discovery | None:
        """What the bundle's cluster serves."""
        return self.contents.discovery

    def of(self, declared: DeclaredRelease) -> LiveRelease | None:
        """The bundle's release, by name and namespace; None for any other."""
        request = self.contents.request
        if (declared.name, declared.namespace) != (request.release, request.namespace):
            return None
        history = self.contents.history
        return LiveRelease(self._judged, history if history.last() is not None else None)

    def _judged(self, inputs: PlanInputs) -> Plan:
        contents = self.contents
        return judged_offline(
            replace(
                inputs,
                live=contents.live,
                crds=contents.crds,
                discovery=contents.discovery,
                cluster=contents.facts,
            )
        )
