"""Connections to the test cluster: the administrator's, a limited user's, and one that is listened to."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator

import pytest
from controlplane.client import JSON, ControlPlane
from controlplane.permissions import grant
from custom_kind import CustomKind
from recording_api import Instead, RecordingApi

from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.kube_options import KubeOptions
from helmguard.model.discovery import Discovery


@pytest.fixture
def connection(control_plane: ControlPlane) -> Connection:
    """The administrator's."""
    return connect(KubeOptions(kubeconfig=str(control_plane.kubeconfig)), {})


@pytest.fixture
def discovery(connection: Connection) -> Discovery:
    return read_discovery(connection)


@pytest.fixture
def limited(control_plane: ControlPlane, namespace: str) -> Callable[..., Connection]:
    """``limited(*rules)``: the connection of a user who may do in the test's namespace what the rules say."""

    def make(*rules: JSON) -> Connection:
        user = grant(control_plane, namespace, list(rules)) if rules else control_plane.as_limited()
        return connect(KubeOptions(kubeconfig=str(user.kubeconfig)), {})

    return make


@pytest.fixture
def recording(control_plane: ControlPlane) -> Iterator[Callable[..., RecordingApi]]:
    """``recording(instead)``: the real API server, but for what ``instead`` answers."""
    running: list[RecordingApi] = []

    def start(instead: Instead = lambda *_: None) -> RecordingApi:
        running.append(RecordingApi(control_plane, instead))
        return running[-1]

    yield start
    for server in running:
        server.close()


@pytest.fixture
def other_namespace(control_plane: ControlPlane) -> Iterator[str]:
    """A second namespace, with nothing in it but what every namespace has."""
    name = f"other-{uuid.uuid4().hex[:12]}"
    control_plane.create("/api/v1/namespaces", {"metadata": {"name": name}})
    yield name
    control_plane.remove(f"/api/v1/namespaces/{name}")


@pytest.fixture
def widgets(control_plane: ControlPlane, namespace: str) -> Iterator[CustomKind]:
    """A custom kind of this test's own."""
    kind = CustomKind(control_plane, f"{namespace}.example.com")
    kind.create()
    yield kind
    kind.remove()
