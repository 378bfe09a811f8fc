"""helmguard and the real Helm side by side, with Helm 3 and with Helm 4."""

from __future__ import annotations

import pytest
from controlplane.helm import Helm
from helmguard_program import Helmguard
from live_state import program_for


@pytest.fixture
def helmguard(helm: Helm) -> Helmguard:
    """helmguard beside this helm, in the test's own namespace."""
    return program_for(helm)
