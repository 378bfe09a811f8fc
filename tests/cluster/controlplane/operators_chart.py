"""Tests that install the GPU Operator's chart: its ClusterPolicy and its definition have no namespace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from controlplane.cache import locked
from controlplane.client import ControlPlane

_POLICIES = "/apis/nvidia.com/v1/clusterpolicies"
_DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusterpolicies.nvidia.com"


@contextmanager
def alone_with_the_operator(cluster: ControlPlane) -> Iterator[None]:
    """Holds what the chart's releases would fight over, and leaves nothing of it, however the test ends.

    Helm makes a definition only where there is none, so that of another chart would stay. What the chart
    makes in a namespace goes with the test's namespace; its other cluster-wide objects carry the name of that
    namespace in theirs.
    """
    with locked(cluster.folder / "cluster-policy.lock"):
        _remove_all(cluster)
        try:
            yield
        finally:
            _remove_all(cluster)


def _remove_all(cluster: ControlPlane) -> None:
    for policy in (cluster.find(_POLICIES) or {}).get("items", ()):
        path = f"{_POLICIES}/{policy['metadata']['name']}"
        cluster.remove(path)
        cluster.wait_for(path, lambda found: found is None)
    cluster.remove(_DEFINITION)
    cluster.wait_for(_DEFINITION, lambda found: found is None)
