"""What the user asks the check for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from helmguard.cluster.kube_options import KubeOptions
from helmguard.config.gate import Gate
from helmguard.model.chart_map import MappedChart

if TYPE_CHECKING:
    from helmguard.model.judged_node import JudgedNode

DEFAULT_KUBERNETES = "v1.36.0"
"""The version that charts are rendered for where neither flag, release nor cluster tells another."""


class CheckRequest(msgspec.Struct, frozen=True):
    """``start`` is a folder in the repository; ``base`` and ``head`` are as
    `helmguard.repository.sides.open_sides` takes them, empty for the defaults.

    ``charts`` is the chart map. ``releases`` and ``tools`` are globs over identities and names of tools,
    empty for all; ``namespace`` leaves out the releases of others. ``kube_version`` and ``api_versions`` are
    the cluster's. ``base_helm_binary`` is empty for the same helm on both sides. ``live`` asks the cluster,
    ``bundle`` is a bundle's path; ``jobs`` is how many releases are worked on at a time, 0 for one a core.
    ``cache`` keeps charts and renderings between runs. ``nodes`` are nodes of the cluster whose facts the
    user gives. ``debug`` lets an internal error through.
    """

    start: Path = Path()
    base: str = ""
    head: str = ""
    merge_base: bool = True
    charts: tuple[MappedChart, ...] = ()
    offline: bool = False
    cache: Path | None = None
    releases: tuple[str, ...] = ()
    namespace: str = ""
    tools: tuple[str, ...] = ()
    kube_version: str = ""
    api_versions: tuple[str, ...] = ()
    helm_binary: str = ""
    base_helm_binary: str = ""
    run_helmfile: bool = False
    live: bool = False
    bundle: str = ""
    kube: KubeOptions = msgspec.field(default_factory=KubeOptions)
    jobs: int = 0
    debug: bool = False
    gate: Gate = msgspec.field(default_factory=Gate)
    nodes: tuple[JudgedNode, ...] = ()
