"""Recorded upgrades that proposed no change: what drift foretells is what the real Helm did."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import helmguard
from helmguard.compare.comparable import comparable
from helmguard.manifest.yaml import load
from helmguard.model.live_state import Absent
from helmguard.predict.json_equality import json_equal

_GIVEN = os.environ.get("HELMGUARD_SHARED")
SHARED = Path(_GIVEN) if _GIVEN else Path(__file__).parents[3] / "shared"
_CONTROLLERS_OWN = ("deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation")


def without_change(folder: Path) -> bool:
    """Whether the recorded upgrade applied the manifest that was deployed already."""
    if load((folder / "scenario.yaml").read_text())["operation"]["verb"] != "upgrade":
        return False
    records = json.loads((folder / "release-before.json").read_text())
    deployed = next((one for one in records["records"] if one["version"] == records["deployed"]), None)
    new = folder / "new-manifest.yaml"
    return deployed is not None and new.exists() and deployed["manifest"].strip() == new.read_text().strip()


def traces() -> list[Path]:
    folders = [SHARED / "traces", SHARED / "traces-random"]
    found = [
        path.parent for folder in folders if folder.is_dir() for path in folder.glob("*/release-before.json")
    ]
    return sorted(folder for folder in found if without_change(folder))


TRACES = traces()


@pytest.mark.skipif(not TRACES, reason="the recorded operations are not at hand (set HELMGUARD_SHARED)")
def test_there_are_enough_of_them() -> None:
    assert len(TRACES) > 20


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.name)
def test_drift_foretells_the_upgrade(trace: Path) -> None:
    outcome = load((trace / "scenario.yaml").read_text())["outcome"]
    plan = helmguard.drift_bundle(trace)
    assert (plan.failure is None) is (outcome["exit"] == 0)
    real = {
        (entry["kind"], entry["namespace"], entry["name"]): entry["object"]
        for entry in json.loads((trace / "live-after.json").read_text())
    }
    for resource in plan.resources:
        key = resource.prediction.key
        truth = real[key.kind, key.namespace, key.name]
        if isinstance(resource.prediction.live, Absent):
            # What the API server fills into a new object is another test's matter.
            assert (truth is None) is (resource.prediction.predicted is None)
        else:
            assert json_equal(shape(resource.prediction.predicted), shape(truth)), str(key)


def shape(body: Any) -> Any:
    found = comparable(body)
    annotations = (found.get("metadata") or {}).get("annotations") or {}
    kept = {name: value for name, value in annotations.items() if name not in _CONTROLLERS_OWN}
    return {**found, "metadata": {**(found.get("metadata") or {}), "annotations": kept}}
