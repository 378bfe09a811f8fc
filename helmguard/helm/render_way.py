"""Which of the ways to render a chart gives what Helm would apply, at least cost."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from helmguard.helm.flags import RenderOptions
from helmguard.helm.rendered import RenderWay, TemplateInputs
from helmguard.helm.template_doubts import Doubt
from helmguard.helm.template_scan import TemplateScan, scan_chart
from helmguard.values.chart import Chart

_FEW = 3


class ChosenWay(msgspec.Struct, frozen=True):
    """``how`` to render; ``ask_cluster`` is for templates that read it. ``unsure``: doubts that stay.

    ``doubts``: what would be open if helm could not do it this way and rendered without the cluster.
    """

    how: RenderWay
    why: str
    ask_cluster: bool = False
    unsure: tuple[str, ...] = ()
    doubts: str = ""


def scan(chart: Chart, inputs: TemplateInputs) -> TemplateScan:
    """Look through the chart's templates and, where they use ``tpl``, through the values."""
    return scan_chart(
        chart,
        inputs.config if inputs.chart_values is None else {"a": inputs.config, "b": inputs.chart_values},
        is_upgrade=inputs.is_upgrade,
        kubernetes_version=inputs.kubernetes_version,
        api_versions=inputs.api_versions,
    )


def choose_way(found: TemplateScan, options: RenderOptions, *, cluster: bool) -> ChosenWay:
    """The cheapest way without doubts; without a cluster ``helm template``, whatever doubts there are."""
    doubts = list(found.doubts)
    if options.post_renderer:
        doubts.append(Doubt("record", "a post-renderer changes the manifest", ""))
    if not doubts:
        return ChosenWay("template", "no template asks for what only the cluster or the release record knows")
    text = _listed(doubts)
    if not cluster:
        return ChosenWay("template", "there is no cluster to ask", unsure=tuple(map(str, doubts)))
    if any(doubt.needs == "record" for doubt in doubts):
        return ChosenWay("dry-run-server", text, doubts=text)
    return ChosenWay("template", f"with the cluster asked: {text}", ask_cluster=True, doubts=text)


def _listed(doubts: Sequence[Doubt]) -> str:
    # What needs most says most.
    ordered = sorted(doubts, key=lambda doubt: doubt.needs != "record")
    more = f" and {len(doubts) - _FEW} more" if len(doubts) > _FEW else ""
    return "; ".join(map(str, ordered[:_FEW])) + more
