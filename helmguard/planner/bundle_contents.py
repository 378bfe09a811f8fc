"""A bundle in memory, whichever way its folder was laid out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.discovery import Discovery
from helmguard.model.json_value import JSONObject
from helmguard.model.judged_node import JudgedNode
from helmguard.model.live_state import LiveState
from helmguard.model.release import History
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import ValueCause
from helmguard.planner.bundle_format import BundleRequest


class BundleContents(msgspec.Struct, frozen=True):
    """``manifest`` is None where the bundle holds no rendering; ``folder`` is where its files lie.

    ``renders`` holds, by value mode, the manifest and hooks rendered in that mode, for planning another mode
    where there is no helm. ``counterfactuals`` are the manifests with one class of value changes undone.
    ``facts`` are what was around the release, ``nodes`` what is on its nodes, none where the bundle has none.
    """

    folder: Path
    request: BundleRequest
    history: History
    live: Mapping[ResourceKey, LiveState]
    manifest: str | None = None
    hooks: tuple[JSONObject, ...] = ()
    discovery: Discovery | None = None
    crds: tuple[JSONObject, ...] = ()
    renders: Mapping[str, tuple[str, tuple[JSONObject, ...]]] = {}
    counterfactuals: Mapping[ValueCause, str] = {}
    facts: ClusterFacts = msgspec.field(default_factory=ClusterFacts)
    nodes: tuple[JudgedNode, ...] = ()

    @property
    def chart_path(self) -> Path | None:
        """The chart inside the bundle, None where there is none."""
        if not self.request.chart:
            return None
        path = self.folder / self.request.chart
        return path if path.exists() else None
