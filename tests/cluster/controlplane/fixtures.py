"""The pytest fixtures that give tests the real Helm and the real control plane."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controlplane import session
from controlplane.binaries import BINARIES
from controlplane.build import cached, ensure
from controlplane.client import ControlPlane
from controlplane.errors import ClusterError
from controlplane.helm import Helm
from controlplane.namespaces import fresh_namespace

__all__ = [
    "control_plane",
    "helm",
    "helm3",
    "helm4",
    "helm_binary",
    "helm_here",
    "namespace",
    "rollout_control_plane",
]


@pytest.fixture(scope="session")
def control_plane() -> ControlPlane:
    """etcd, API server and controller manager, shared by the whole run. Pods are never scheduled."""
    return _control_plane(rollout=False)


@pytest.fixture(scope="session")
def rollout_control_plane() -> ControlPlane:
    """As `control_plane`, with scheduler and kwok: post a Node, and its pods become Running in seconds."""
    return _control_plane(rollout=True)


@pytest.fixture
def namespace(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of a namespace made for this test, in `rollout_control_plane` where the test uses that."""
    rollout = "rollout_control_plane" in request.fixturenames
    cluster: ControlPlane = request.getfixturevalue("rollout_control_plane" if rollout else "control_plane")
    with fresh_namespace(cluster) as name:
        yield name


@pytest.fixture(scope="session")
def helm3() -> Path:
    """The Helm 3 binary."""
    return _helm_binary("helm3")


@pytest.fixture(scope="session")
def helm4() -> Path:
    """The Helm 4 binary."""
    return _helm_binary("helm4")


@pytest.fixture(params=["helm3", "helm4"], ids=["h3", "h4"])
def helm_binary(request: pytest.FixtureRequest) -> Path:
    """Runs the test twice, with the binary of Helm 3 and of Helm 4."""
    return _helm_binary(request.param)


@pytest.fixture
def helm(
    helm_binary: Path, control_plane: ControlPlane, namespace: str, tmp_path_factory: pytest.TempPathFactory
) -> Helm:
    """Runs the test twice, with Helm 3 and Helm 4 in the test's own namespace of `control_plane`."""
    home = tmp_path_factory.mktemp("helm-home")
    return Helm(helm_binary, home, control_plane.kubeconfig, namespace)


@pytest.fixture
def helm_here(helm: Helm, monkeypatch: pytest.MonkeyPatch) -> Helm:
    """As `helm`, with its settings in this very process; those of whoever runs the tests play no part."""
    for name, value in helm.environment().items():
        monkeypatch.setenv(name, value)
    return helm


def _control_plane(*, rollout: bool) -> ControlPlane:
    try:
        return session.shared_control_plane(rollout=rollout)
    except ClusterError as error:
        pytest.fail(f"no test cluster: {error}", pytrace=False)


def _helm_binary(label: str) -> Path:
    binary = BINARIES[label]
    path = cached(binary)
    if path is not None:
        return path
    if session.NOT_WANTED is not None:
        pytest.skip(session.NOT_WANTED)
    try:
        return ensure(binary)
    except ClusterError as error:
        pytest.fail(f"no {label}: {error}", pytrace=False)
