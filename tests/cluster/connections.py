"""helmguard's own connections to the control plane."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from controlplane.client import JSON, ControlPlane
from controlplane.permissions import grant

from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.kube_options import KubeOptions

__all__ = ["connection", "limited"]


@pytest.fixture
def connection(control_plane: ControlPlane) -> Connection:
    """The administrator's; the environment of whoever runs the tests plays no part."""
    return connect(KubeOptions(kubeconfig=str(control_plane.kubeconfig)), {})


@pytest.fixture
def limited(control_plane: ControlPlane, namespace: str) -> Callable[..., Connection]:
    """``limited(*rules)``: the connection of a user who may do in the test's namespace what the rules say."""

    def make(*rules: JSON) -> Connection:
        user = grant(control_plane, namespace, list(rules)) if rules else control_plane.as_limited()
        return connect(KubeOptions(kubeconfig=str(user.kubeconfig)), {})

    return make
