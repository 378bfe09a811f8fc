"""What the tests of findings on public charts share."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from trial import Trial


@pytest.fixture
def trial(helm_here: Helm, control_plane: ControlPlane, tmp_path: Path) -> Trial:
    """Twice, with Helm 3 and Helm 4."""
    return Trial(helm_here, control_plane, tmp_path)
