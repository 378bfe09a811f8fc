"""What the tests of everything around the objects share."""

from __future__ import annotations

from pathlib import Path

import pytest
from around_release import AroundRelease
from controlplane.client import ControlPlane
from controlplane.helm import Helm


@pytest.fixture
def release(helm_here: Helm, control_plane: ControlPlane, tmp_path: Path) -> AroundRelease:
    """Twice, with Helm 3 and Helm 4."""
    return AroundRelease(helm_here, control_plane, tmp_path)
