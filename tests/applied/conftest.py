"""Plans that are saved, applied and verified on the real control plane, where pods really start."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from controlplane.client import ControlPlane

sys.path.append(str(Path(__file__).parents[2] / "fixtures"))


@pytest.fixture(scope="session")
def nodes(rollout_control_plane: ControlPlane) -> Iterator[ControlPlane]:
    """The control plane with a node that has room for every pod of these tests."""
    name = f"applied-{uuid.uuid4().hex[:8]}"
    room = {"cpu": "1000", "memory": "4000Gi", "pods": "2000"}
    node = {
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "status": {"capacity": room, "allocatable": room},
    }
    rollout_control_plane.create("/api/v1/nodes", node)
    yield rollout_control_plane
    rollout_control_plane.remove(f"/api/v1/nodes/{name}")
