"""helmguard drift against the real control plane, with Helm 3 and with Helm 4."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from drift_trial import DriftTrial
from helmguard_program import Ended, Helmguard
from live_state import program_for

from helmguard.cli.main import main


@pytest.fixture
def trial(helm_here: Helm, control_plane: ControlPlane, tmp_path: Path) -> DriftTrial:
    """Twice, with Helm 3 and Helm 4."""
    return DriftTrial(helm_here, control_plane, tmp_path)


@pytest.fixture
def inside(trial: DriftTrial, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """``helmguard WORDS`` inside this process: most of a process's time is its start."""

    def run(*words: str) -> Ended:
        code = main([*words, "--helm-bin", str(trial.helm.binary)])
        out, err = capsys.readouterr()
        return Ended(words, code, out, err)

    return run


@pytest.fixture
def program(helm: Helm) -> Helmguard:
    """helmguard as a process of its own, in the test's namespace."""
    return program_for(helm)
