"""Rendering the chart of a bundle with other values than it was written for: helm is needed, no cluster."""

from __future__ import annotations

from pathlib import Path

from helmguard.errors import BundleError, ChartError, HelmError, RenderError, ValuesError
from helmguard.helm.binary import find_helm
from helmguard.helm.chart_source import ChartSource
from helmguard.helm.command import HelmCommand
from helmguard.helm.flags import RenderOptions
from helmguard.helm.render import RenderTask, render
from helmguard.helm.template_inputs import template_inputs
from helmguard.model.discovery import Discovery
from helmguard.model.release import Revision
from helmguard.planner.bundle_contents import BundleContents
from helmguard.planner.inputs import NewRevision
from helmguard.planner.record import record_of
from helmguard.planner.request import BundleOverrides
from helmguard.planner.upgrade_values import UpgradeValues
from helmguard.values.chart import Chart


def render_of_bundle(
    contents: BundleContents,
    overrides: BundleOverrides,
    chart: Chart | None,
    current: Revision | None,
    values: UpgradeValues | None,
) -> NewRevision:
    """The new revision for other values, or another chart, than the bundle was rendered with.

    Raises:
        BundleError: there is no chart, or no helm to render it with.
    """
    request = contents.request
    place = Path(overrides.chart) if overrides.chart else contents.chart_path
    if chart is None or place is None or values is None:
        raise BundleError(
            "the bundle holds no chart to render other values with",
            remedy="Name one: helmguard plan --bundle DIR R CHART",
        )
    try:
        helm = find_helm(overrides.helm_binary)
    except HelmError as error:
        raise BundleError(
            f"the bundle holds no rendering for these values, and {error.message}",
            remedy="Give the bundle's own values flags, alone or with --reuse-values or the like. "
            f"For others: {error.remedy}",
        ) from None
    discovery = contents.discovery or Discovery.of(f"v{request.kubernetes.lstrip('v')}", ())
    options = RenderOptions(request.release, str(place), request.namespace, overrides.value_words)
    inputs = template_inputs(
        values.result,
        current=record_of(current) if current else None,
        helm=helm.version,
        kubernetes_version=discovery.kubernetes_version,
        api_versions=discovery.helm_api_versions(),
    )
    task = RenderTask(HelmCommand(helm), options, ChartSource(place.absolute(), str(place)), chart, inputs)
    try:
        rendered = render(task, cluster=False).rendered
    except (RenderError, ValuesError, ChartError) as error:
        return NewRevision(error=error.message, error_remedy=error.remedy, rendered_by="template")
    return NewRevision(
        rendered.manifest, rendered.hooks, "template", rendered.why, warnings=rendered.warnings
    )
