"""Planning a recorded operation against a cluster that was brought to its state, and scoring the plan."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from controlplane.client import ControlPlane
from msgspec.structs import replace
from server_state import versions

from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.discovery import read_discovery
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.release_storage import read_history
from helmguard.model.plan import DryRunMode, Plan
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.confirmation import confirm
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.live_reading import merge_live, read_live_objects, wanted_objects
from helmguard.planner.make_plan import make_plan, previous_revision
from helmguard.planner.offline import inputs_of_bundle
from helmguard.planner.request import BundleOverrides
from helmguard.report.plan_json import plan_to_dict

LEVELS = ("verdict_all", "strict_all", "semantic_all", "values_all", "error_right")
"""Of a recording's score: how much of it is foreseen right."""


def shared_folder() -> Path | None:
    """The folder with the recordings and their scoring, None where they are not at hand."""
    named = os.environ.get("HELMGUARD_SHARED")
    place = Path(named) if named else Path(__file__).parents[3] / "shared"
    return place if (place / "traces").is_dir() and (place / "scoring").is_dir() else None


def scoring(shared: Path) -> ModuleType:
    """The scoring program beside the recordings."""
    sys.path.insert(0, str(shared / "scoring"))
    try:
        spec = importlib.util.spec_from_file_location("replay_score", shared / "scoring" / "score.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def copied_recording(recorded: Path, folder: Path, namespace: str) -> Path:
    """The recording as if it had been made in another namespace."""
    scenario = (recorded / "scenario.yaml").read_text()
    before = next(line for line in scenario.splitlines() if line.startswith("namespace: "))
    old = before.removeprefix("namespace: ")
    shutil.copytree(recorded, folder)
    for path in folder.iterdir():
        if path.is_file():
            path.write_text(path.read_text().replace(old, namespace))
    # Its name, by which it is scored, is no namespace.
    lines = (folder / "scenario.yaml").read_text().splitlines()
    (folder / "scenario.yaml").write_text("\n".join([scenario.splitlines()[0], *lines[1:]]))
    return folder


@dataclass(frozen=True)
class Replay:
    """A restored recording: its inputs, read from the cluster but for what was rendered."""

    folder: Path
    inputs: PlanInputs
    connection: Connection

    def plan(self, mode: DryRunMode) -> Plan:
        """The plan with the API server asked, or not."""
        confirmed = confirm(self.inputs, self.connection, mode)
        return make_plan(confirmed.inputs, confirmed.prediction)

    def versions(self) -> dict[str, str]:
        """The resourceVersions of all that the operation could touch."""
        discovery = self.inputs.discovery
        assert discovery is not None
        spaces = {self.inputs.namespace, *(key.namespace for key in self.inputs.live if key.namespace)}
        return versions(self.connection, discovery, spaces)

    def score(self, plan: Plan, score: ModuleType) -> dict[str, Any]:
        """How right the plan is, by what the operation really did."""
        first = (self.folder / "scenario.yaml").read_text().splitlines()[0]
        name = first.removeprefix("id: ").strip().strip("'\"")
        document = plan_to_dict(plan, show_secrets=True)
        scored: dict[str, Any] = score.score_trace(str(self.folder), {name: score.from_plan(document)})
        return scored


def open_replay(cluster: ControlPlane, folder: Path) -> Replay:
    """Read from the cluster what a plan reads there: records, live objects, definitions, served kinds."""
    inputs = inputs_of_bundle(read_bundle(folder), BundleOverrides())
    connection = connect(KubeOptions(kubeconfig=str(cluster.kubeconfig), namespace=inputs.namespace))
    discovery = read_discovery(connection)
    history = read_history(connection, inputs.namespace, inputs.release)
    inputs = replace(inputs, history=history, discovery=discovery)
    previous = previous_revision(inputs)
    before = wanted_objects(previous.manifest if previous else "", (), inputs.namespace, discovery)
    after = wanted_objects(inputs.new.manifest, inputs.new.hooks, inputs.namespace, discovery)
    live = merge_live(
        read_live_objects(connection, discovery, before), read_live_objects(connection, discovery, after)
    )
    return Replay(folder, replace(inputs, live=live.states, crds=live.crds), connection)
