"""A sample of the labelled upgrades: what is dangerous is refused until it is accepted; all come true."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest
from applied_case import Case
from controlplane.client import ControlPlane
from helmguard_here import HelmguardHere
from labelled_recording import LabelledRecording, cases_of
from live_state import program_for

CASES = {case["id"]: case for case in cases_of(Path(__file__).parents[2] / "fixtures" / "labelled" / "cases")}


@dataclass(frozen=True)
class Sample:
    """A case of the corpus with one Helm; the rest is as for ``Case``. ``code`` is the plan's exit code."""

    case: str
    variant: str
    code: int
    held_up: str = ""
    left: tuple[str, ...] = ()


SAMPLES = [
    # Dangerous: some that Helm refuses half way, and some that it carries out.
    Sample("selector-changed", "h3", 3),
    Sample("misspelt-field", "h4", 3),
    Sample("hot-fix-reverted", "h3", 3),
    Sample("scaled-by-hand-reverted", "h4", 3),
    Sample("upgrade-still-pending", "h3", 3),
    Sample("rollback-to-the-failed", "h3", 3),
    Sample("statefulset-dropped", "h4", 3),
    Sample("override-lost-memory", "h4", 3),
    Sample("hook-reads-new-secret", "h3", 3),
    Sample("quota-too-small", "h4", 3, held_up="exceeded quota"),
    # Harmless.
    Sample("config-with-hash-name", "h3", 2),
    Sample("sidecar-added", "h4", 2),
    Sample("probes-added", "h3", 2),
    Sample("hook-before-creation", "h4", 2),
    Sample("restarted-by-hand", "h4", 2),
    Sample("rollback-of-an-image", "h3", 2),
]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.case}--{sample.variant}")
def test_labelled(sample: Sample, nodes: ControlPlane, tmp_path: Path) -> None:
    prefix = f"t-{uuid.uuid4().hex[:6]}-"
    recording = LabelledRecording(nodes, CASES[sample.case], sample.variant, tmp_path, prefix)
    with recording.ready():
        back = ["--rollback"] if recording.verb == "rollback" else []
        name, *rest = recording.operands()
        words = (name, *back, *rest, *recording.flags(), *recording.sets())
        here = HelmguardHere(program_for(recording.helm), tmp_path)
        plan = Case(here, nodes, words, sample.held_up, sample.left).comes_true()
    assert plan["exitCode"] == sample.code
