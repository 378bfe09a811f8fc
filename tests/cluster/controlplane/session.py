"""One control plane for one test run, however many worker processes share it.

The process that pytest was started as names the folders in the environment, its workers (pytest-xdist)
inherit the names, whoever needs a control plane first starts it, and the first process stops it at the end.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

from controlplane import lifecycle, state
from controlplane.cache import locked
from controlplane.client import ControlPlane
from controlplane.errors import ClusterError

NO_CLUSTER: Final = "HELMGUARD_TESTS_NO_CLUSTER"
NOT_WANTED: Final = (
    f"{NO_CLUSTER}=1: nothing is built or started" if os.environ.get(NO_CLUSTER) == "1" else None
)
"""Why this run builds and starts nothing; None when it may."""

RUNNING_CLUSTER: Final = "HELMGUARD_TEST_CLUSTER"
_RUN_FOLDER: Final = "HELMGUARD_TEST_RUN_FOLDER"


def begin() -> None:
    """For the run's first process: names the folder that the run's control planes will live in."""
    os.environ[_RUN_FOLDER] = tempfile.mkdtemp(prefix="helmguard-tests-")


def end() -> None:
    """For the run's first process: stops what any of its workers started, and removes its files."""
    run = Path(os.environ.pop(_RUN_FOLDER))
    for folder in run.iterdir():
        if folder.is_dir():
            lifecycle.down(folder)
    shutil.rmtree(run, ignore_errors=True)


def shared_control_plane(*, rollout: bool) -> ControlPlane:
    """This run's control plane, started now if no worker has; or the running one that the user named."""
    named = os.environ.get(RUNNING_CLUSTER)
    if named:
        found = _named_by_the_user(Path(named))
        if found.rollout or not rollout:
            return ControlPlane(Path(named), found)
    run = Path(os.environ[_RUN_FOLDER])
    folder = run / ("rollout" if rollout else "plain")
    with locked(run / f"{folder.name}.lock"):
        return ControlPlane(folder, lifecycle.up(folder, rollout=rollout))


def _named_by_the_user(folder: Path) -> state.State:
    found = state.load(folder)
    if found is None or found.dead:
        raise ClusterError(f"{RUNNING_CLUSTER} names {folder}, where no test cluster runs")
    return found
