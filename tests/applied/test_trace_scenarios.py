"""Every recorded scenario with every Helm that it names: planned, saved, applied, verified."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from applied_case import JSON, Case
from controlplane.cache import locked
from controlplane.client import ControlPlane
from helmguard_here import HelmguardHere
from live_state import program_for
from trace_recording import Recording

from helmguard.manifest import yaml

TRACES = Path(__file__).parents[2] / "fixtures" / "traces"
SCENARIOS = yaml.load((TRACES / "scenarios.yaml").read_text())["scenarios"]
HELD_UP = {
    # The quota asks for requests that one container of the chart lacks.
    "every-kind": "failed quota",
    # serviceAccount stays where serviceAccountName leaves, and there is no such account.
    "nulls-and-quantities": 'serviceaccount "someone" not found',
}
LEFT = {
    # What somebody typed, in a field that no manifest names or where Helm looks at manifests alone: it stays.
    "replicas-leave-the-chart--h4": ["Deployment/web spec.replicas"],
    "replicas-leave-the-chart--mig-ssa": ["Deployment/web spec.replicas"],
    "many-managers": ["ConfigMap/conf data.added", "ConfigMap/conf metadata.labels.extra"],
    "custom-resource-drift--h3": ["Gizmo/g spec.mode"],
    "adoption-taken": ["ConfigMap/other data.b"],
    "adoption-taken--h4": [],
    "rollback-after-drift": ["ConfigMap/conf data.added"],
    # The definition does not know the field, and Helm 3 is not told.
    "definition-is-older--h3": ["Gizmo/g spec.plugin"],
    # Of a failed revision, and in no manifest since.
    "upgrade-after-failure": ["ConfigMap/stray not expected"],
    "upgrade-after-failure--h3": ["ConfigMap/conf data.c", "ConfigMap/stray not expected"],
    # Taken out with its twin.
    "duplicate-variable": ["Deployment/web spec.template.spec.containers[name=web].env[name=A]"],
}
RUNS = [(scenario, variant) for scenario in SCENARIOS for variant in scenario["variants"]]


@pytest.mark.parametrize(
    ("scenario", "variant"), RUNS, ids=[f"{scenario['id']}--{variant}" for scenario, variant in RUNS]
)
def test_scenario(scenario: JSON, variant: str, nodes: ControlPlane, tmp_path: Path) -> None:
    recording = Recording(nodes, scenario, variant, tmp_path, f"t-{uuid.uuid4().hex[:6]}-")
    with locked(nodes.folder / "recorded-scenarios.lock"), recording.ready():
        back = ["--rollback"] if recording.verb == "rollback" else []
        name, *rest = recording.operands()
        words = [name, *back, *rest, *recording.flags(), *recording.sets()]
        here = HelmguardHere(program_for(recording.helm), tmp_path)
        left = LEFT.get(recording.id, LEFT.get(scenario["id"], []))
        Case(here, nodes, tuple(words), HELD_UP.get(scenario["id"], ""), tuple(left)).comes_true()
