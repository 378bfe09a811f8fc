"""helmguard without helm and cluster."""

from __future__ import annotations

from pathlib import Path

import pytest
from helmguard_program import Helmguard


@pytest.fixture
def helmguard(tmp_path: Path) -> Helmguard:
    """helmguard with no helm and no cluster."""
    return Helmguard(tmp_path, settings={"PATH": "/nowhere"})
