"""Status and history against the real control plane, with Helm 3 and with Helm 4."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from release_trial import ReleaseTrial


@pytest.fixture
def trial(helm_here: Helm, control_plane: ControlPlane, tmp_path: Path) -> ReleaseTrial:
    """Twice, with Helm 3 and Helm 4."""
    return ReleaseTrial(helm_here, control_plane, tmp_path)
