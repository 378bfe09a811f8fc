"""Connections to the test cluster, and small servers on this machine for answers that it never gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from controlplane.client import JSON, ControlPlane
from controlplane.permissions import grant
from local_api import Answer, LocalApi

from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.kube_options import KubeOptions


@pytest.fixture
def connection(control_plane: ControlPlane) -> Connection:
    """The administrator's connection; the environment of whoever runs the tests plays no part."""
    return connect(KubeOptions(kubeconfig=str(control_plane.kubeconfig)), {})


@pytest.fixture
def limited(control_plane: ControlPlane, namespace: str) -> Callable[..., Connection]:
    """``limited(*rules)``: the connection of a user who may do in the test's namespace what the rules say."""

    def make(*rules: JSON) -> Connection:
        user = grant(control_plane, namespace, list(rules)) if rules else control_plane.as_limited()
        return connect(KubeOptions(kubeconfig=str(user.kubeconfig)), {})

    return make


@pytest.fixture
def local_api() -> Iterator[Callable[..., LocalApi]]:
    """``local_api(answers)``: a server on 127.0.0.1 with scripted answers, closed after the test."""
    running: list[LocalApi] = []

    def start(answers: Callable[[str], Answer]) -> LocalApi:
        running.append(LocalApi(answers))
        return running[-1]

    yield start
    for server in running:
        server.close()
