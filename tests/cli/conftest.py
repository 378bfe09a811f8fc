"""helmguard without a cluster."""

from __future__ import annotations

from pathlib import Path

import pytest
from helmguard_program import CHECKOUT, Helmguard


@pytest.fixture
def helmguard(tmp_path: Path) -> Helmguard:
    """helmguard with no helm and no cluster."""
    return Helmguard(tmp_path, settings={"PATH": "/nowhere"})


@pytest.fixture(scope="session")
def seed_bundle() -> Path:
    """The bundle of the seed story."""
    return CHECKOUT / "fixtures" / "seed"
