"""A chart's ``kubeVersion`` against the cluster's, for plans where no helm renders."""

from __future__ import annotations

from helmguard.values.chart import Chart
from helmguard.values.semver import satisfies


def kube_version_refusal(chart: Chart, kubernetes: str) -> str:
    """Helm's text where it refuses the chart, empty where it does not or where the version is unknown."""
    wanted, version = chart.metadata.kube_version, f"v{kubernetes.lstrip('v')}"
    if not wanted or not kubernetes or satisfies(version, wanted):
        return ""
    return f"chart requires kubeVersion: {wanted} which is incompatible with Kubernetes {version}"
