"""helmguard in a folder of its own with a ``.helmguard.yaml``, without a cluster."""

from __future__ import annotations

from pathlib import Path

import pytest
from config_project import Project
from helmguard_program import CHECKOUT, Helmguard


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty project; its upgrade is the seed story: one blocker, a lost override of ``driver.enabled``."""
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    return Project(Helmguard(tmp_path, settings={"PATH": "/nowhere"}), CHECKOUT / "fixtures" / "seed")
