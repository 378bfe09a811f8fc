"""Connections to the test cluster: the administrator's, a limited user's, and one that is listened to."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator

import pytest
from connections import *  # noqa: F403 - its __all__ is the list of fixtures
from controlplane.client import ControlPlane
from custom_kind import CustomKind
from recording_api import Instead, RecordingApi

from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.model.discovery import Discovery


@pytest.fixture
def discovery(connection: Connection) -> Discovery:
    return read_discovery(connection)


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
