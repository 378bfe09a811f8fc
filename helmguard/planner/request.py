"""What the user asks for: which release, which chart, which flags, which cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from helmguard.cluster.kube_options import KubeOptions
from helmguard.config.gate import Gate
from helmguard.helm.flags import RenderOptions
from helmguard.model.plan import DryRunMode
from helmguard.planner.frozen_inputs import FrozenInputs

if TYPE_CHECKING:
    from helmguard.model.judged_node import JudgedNode

RenderBy = Literal["auto", "dry-run", "template"]


class PlanRequest(msgspec.Struct, frozen=True):
    """One plan to make. ``rollback`` asks for a rollback, to ``rollback_to`` (0: helm's default).

    ``helm_binary`` names the helm to use, empty for the one that is found. ``render_by`` forces one way of
    rendering. ``server_dry_run`` says whether the API server is asked about the writes. ``gate`` says
    which findings refuse the operation. ``nodes`` are nodes of the cluster whose facts the user gives.
    ``frozen`` are the chart and files to plan from, where they were read
    before (`helmguard.planner.frozen_request`).
    """

    options: RenderOptions
    kube: KubeOptions = msgspec.field(default_factory=KubeOptions)
    helm_binary: str = ""
    rollback: bool = False
    rollback_to: int = 0
    render_by: RenderBy = "auto"
    gate: Gate = msgspec.field(default_factory=Gate)
    server_dry_run: DryRunMode = "auto"
    frozen: FrozenInputs | None = None
    nodes: tuple[JudgedNode, ...] = ()

    @property
    def release(self) -> str:
        """The release's name."""
        return self.options.release


class BundleOverrides(msgspec.Struct, frozen=True):
    """What the user asks of a bundle beyond the request it was made for; empty parts leave that as it is.

    ``value_words`` replace the bundle's, which needs a rendering: the bundle's own for that value mode, or
    helm with the chart inside the bundle or ``chart``. ``options`` are fields of `ApplyOptions` to change.
    ``nodes`` come before those in the bundle.
    """

    release: str = ""
    namespace: str = ""
    chart: str = ""
    value_words: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    rollback: bool = False
    rollback_to: int = 0
    helm_binary: str = ""
    gate: Gate = msgspec.field(default_factory=Gate)
    nodes: tuple[JudgedNode, ...] = ()
