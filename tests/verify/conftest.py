"""Verification against the real control plane, with scheduler and kwok."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from verify_trial import VerifyTrial


@pytest.fixture
def node(rollout_control_plane: ControlPlane, namespace: str) -> Iterator[str]:
    """The name of a node that is labelled and tainted for the test's namespace alone."""
    amounts = {"cpu": "32", "memory": "64Gi", "pods": "110", "nvidia.com/gpu": "2"}
    body = {
        "metadata": {"name": f"node-{namespace}", "labels": {"for": namespace}},
        "spec": {"taints": [{"key": "for", "value": namespace, "effect": "NoSchedule"}]},
        "status": {"capacity": amounts, "allocatable": amounts},
    }
    rollout_control_plane.create("/api/v1/nodes", body)
    yield f"node-{namespace}"
    rollout_control_plane.remove(f"/api/v1/nodes/node-{namespace}")


@pytest.fixture
def on_helm_4(
    helm4: Path, rollout_control_plane: ControlPlane, namespace: str, node: str, tmp_path: Path
) -> VerifyTrial:
    """Where it does not matter which Helm it is."""
    return _trial(helm4, rollout_control_plane, namespace, node, tmp_path)


@pytest.fixture
def on_both(
    helm_binary: Path, rollout_control_plane: ControlPlane, namespace: str, node: str, tmp_path: Path
) -> VerifyTrial:
    """Twice, with Helm 3 and Helm 4."""
    return _trial(helm_binary, rollout_control_plane, namespace, node, tmp_path)


def _trial(binary: Path, cluster: ControlPlane, namespace: str, node: str, folder: Path) -> VerifyTrial:
    (folder / "home").mkdir()
    (folder / "charts").mkdir()
    helm = Helm(binary, folder / "home", cluster.kubeconfig, namespace)
    return VerifyTrial(helm, cluster, node, folder / "charts")
