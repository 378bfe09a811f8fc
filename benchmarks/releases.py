"""The control plane, the helms and the installed releases that the benchmark measures with."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from release_chart import write_chart

_CLUSTER = Path(__file__).parent.parent / "tests" / "cluster" / "cluster"


@dataclass(frozen=True, slots=True)
class InstalledRelease:
    """A release and the words of the upgrade to measure; ``changed`` objects follow the changed value."""

    helm: str
    objects: int
    changed: int
    words: tuple[str, ...]


@contextmanager
def control_plane(folder: Path | None) -> Iterator[Path]:
    """A folder with a running control plane, whose kubeconfig is set for this process.

    In a ``folder`` given it is left running, with all releases, for the next time.
    """
    with TemporaryDirectory(prefix="helmguard-bench-") as scratch:
        place = folder or Path(scratch)
        os.environ["KUBECONFIG"] = _cluster("up", str(place / "cluster"))
        try:
            yield place
        finally:
            if folder is None:
                _cluster("down", str(place / "cluster"))


def helm_path(major: str) -> str:
    """The tests' Helm of that major version."""
    return _cluster("helm", major)


def install(place: Path, major: str, objects: int) -> InstalledRelease:
    """Install the release with the unchanged value, where it is not there yet."""
    chart = place / f"chart-{objects}"
    marker = chart / "changed-objects"
    if not marker.exists():
        marker.write_text(str(write_chart(chart, objects)))
    changed = int(marker.read_text())
    helm, namespace = helm_path(major), f"bench-{objects}-helm{major}"
    known = subprocess.run([helm, "status", "bench", "-n", namespace], capture_output=True, check=False)
    if known.returncode:
        command = [helm, "install", "bench", str(chart), "-n", namespace, "--create-namespace"]
        subprocess.run([*command, "--timeout", "15m"], check=True, stdout=subprocess.DEVNULL)
    words = ("bench", str(chart), "-n", namespace, "--set", "tuning.level=debug")
    return InstalledRelease(helm, objects, changed, words)


def _cluster(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(_CLUSTER), *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"cluster {' '.join(words)}: {done.stderr}")
    return done.stdout.strip()
