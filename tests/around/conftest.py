"""What the tests of everything around the objects share."""

from __future__ import annotations

from pathlib import Path

import pytest
from around_release import AroundRelease
from controlplane.client import ControlPlane
from controlplane.helm import Helm


@pytest.fixture
def release(
    helm: Helm, control_plane: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AroundRelease:
    """Twice, with Helm 3 and Helm 4; the settings of whoever runs the tests play no part."""
    for name, value in helm.environment().items():
        monkeypatch.setenv(name, value)
    return AroundRelease(helm, control_plane, tmp_path)
