"""Tests that install the GPU Operator's chart: its ClusterPolicy has no namespace, so one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from controlplane.cache import locked
from controlplane.client import ControlPlane

_POLICIES = "/apis/nvidia.com/v1/clusterpolicies"


@contextmanager
def alone_with_the_operator(cluster: ControlPlane) -> Iterator[None]:
    """Holds what the chart's releases would fight over, and leaves no ClusterPolicy, however the test ends.

    What the chart makes in a namespace goes with the test's namespace; its other cluster-wide objects carry
    that namespace in their names.
    """
    with locked(cluster.folder / "cluster-policy.lock"):
        _remove_policies(cluster)
        try:
            yield
        finally:
            _remove_policies(cluster)


def _remove_policies(cluster: ControlPlane) -> None:
    for policy in (cluster.find(_POLICIES) or {}).get("items", ()):
        path = f"{_POLICIES}/{policy['metadata']['name']}"
        cluster.remove(path)
        cluster.wait_for(path, lambda found: found is None)
