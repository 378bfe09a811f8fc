"""A cluster with nodes of the test's own: their labels keep other tests' pods and DaemonSets away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from controlplane.client import ControlPlane
from helmguard_program import Helmguard
from kubelet_logs import KubeletLogs, kubelet_logs
from side_objects import MakeNode


@pytest.fixture
def cluster(request: pytest.FixtureRequest) -> ControlPlane:
    """The control plane that the test uses: pods hang in the plain one, and run where kwok is."""
    rollout = "rollout_control_plane" in request.fixturenames
    found: ControlPlane = request.getfixturevalue("rollout_control_plane" if rollout else "control_plane")
    return found


@pytest.fixture
def helmguard_here(cluster: ControlPlane, namespace: str, tmp_path: Path) -> Helmguard:
    """helmguard with the cluster and the test's namespace."""
    home = tmp_path / "home"
    home.mkdir()
    return Helmguard(home, kubeconfig=cluster.kubeconfig, namespace=namespace)


@pytest.fixture
def kubelet(rollout_control_plane: ControlPlane) -> Iterator[KubeletLogs]:
    """Where the API server reads the logs of pods on nodes that name it."""
    with kubelet_logs(rollout_control_plane.folder / "certificates") as found:
        yield found


@pytest.fixture
def make_node(cluster: ControlPlane, namespace: str) -> Iterator[MakeNode]:
    """Makes a node ``NAMESPACE-NAME`` with the label ``test=NAMESPACE``, and gives its whole name."""
    made: list[str] = []

    def make(name: str, *handlers: str, taints: list[dict[str, str]] | None = None, **status: Any) -> str:
        whole = f"{namespace}-{name}"
        room = {"cpu": "4", "memory": "8Gi", "pods": "20"}
        body = {
            "metadata": {
                "name": whole,
                "labels": {"kubernetes.io/os": "linux", "test": namespace, "nvidia.com/gpu.present": "true"},
            },
            "spec": {"taints": taints or []},
            "status": {
                "capacity": room,
                "allocatable": room,
                "nodeInfo": {"containerRuntimeVersion": "containerd://2.1.4", "kubeletVersion": "v1.36.3"},
                "runtimeHandlers": [{"name": one} for one in handlers],
                **status,
            },
        }
        cluster.create("/api/v1/nodes", body)
        made.append(whole)
        return whole

    yield make
    for name in made:
        cluster.remove(f"/api/v1/nodes/{name}")
