"""helmguard against the real control plane, with Helm 3 and with Helm 4."""

from __future__ import annotations

import pytest
from controlplane.helm import Helm
from helmguard_program import Helmguard
from live_state import program_for


@pytest.fixture
def helmguard(helm: Helm) -> Helmguard:
    """helmguard with Helm 3, then with Helm 4, in the test's own namespace."""
    return program_for(helm)
