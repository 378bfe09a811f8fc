"""What the tests of findings on public charts share."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from trial import Trial


@pytest.fixture
def trial(helm: Helm, control_plane: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trial:
    """Twice, with Helm 3 and Helm 4; the settings of whoever runs the tests play no part."""
    for name, value in helm.environment().items():
        monkeypatch.setenv(name, value)
    return Trial(helm, control_plane, tmp_path)
