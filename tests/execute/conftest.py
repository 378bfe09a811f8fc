"""helmguard beside each real Helm, in a namespace of the test's own."""

from __future__ import annotations

import pytest
from controlplane.helm import Helm
from helmguard_program import Helmguard
from live_state import program_for


@pytest.fixture
def helmguard(helm: Helm) -> Helmguard:
    """helmguard with Helm 3, then with Helm 4."""
    return program_for(helm)
