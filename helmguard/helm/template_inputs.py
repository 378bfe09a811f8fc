"""From computed values to what ``helm template`` must be told."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.helm.rendered import TemplateInputs
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.values.coalesce import Coalescing
from helmguard.values.compute import ValuesResult
from helmguard.values.differences import dialect_of
from helmguard.values.flag_words import ValueMode
from helmguard.values.reuse import read_current
from helmguard.values.table import to_plain


def template_inputs(
    values: ValuesResult,
    *,
    current: JSONObject | None,
    helm: HelmVersion,
    kubernetes_version: str,
    api_versions: Sequence[str],
) -> TemplateInputs:
    """What to render with: ``values`` computed for the deployed record ``current``, None for an install."""
    reused = None
    if current is not None and values.mode is ValueMode.REUSE:
        reused = old_values(current, helm)
    return TemplateInputs(
        config=values.config,
        is_upgrade=current is not None,
        kubernetes_version=kubernetes_version,
        api_versions=tuple(api_versions),
        chart_values=reused,
        given=values.given,
    )


def old_values(current: JSONObject, helm: HelmVersion) -> JSONObject:
    """What ``--reuse-values`` puts in the place of the chart's defaults: all values of the deployed record.

    As helm/helm@v3.22.0 pkg/action/upgrade.go reuseValues, before dependencies are processed.
    """
    record = read_current(current)
    plain: JSONObject = to_plain(Coalescing(dialect_of(helm)).values(record.chart, record.config))
    return plain
