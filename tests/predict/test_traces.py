"""Predictions against recorded operations of the real Helm on a real API server."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from plan_json import plan_json
from same_as_server import comparable
from trace_bundle import read_trace, shared_traces

from helmguard.predict.operation import predict_operation

FIXTURES = Path(__file__).parent / "fixtures" / "traces"
FLOORS = {"traces": 95.0, "traces-random": 99.6}
"""Least share of operations (per cent) foreseen wholly right, values included. What is missing cannot be
known beforehand: whether a hook's job fails, admission policies, charts that are not at hand."""


@pytest.mark.parametrize("folder", sorted(FIXTURES.iterdir()), ids=lambda folder: folder.name)
def test_copied_trace(folder: Path) -> None:
    prediction = predict_operation(read_trace(folder))
    error = folder / "error.txt"
    assert (prediction.failure is not None) == error.exists()
    if prediction.failure is not None:
        assert _squeezed(prediction.failure.message) in _squeezed(error.read_text())
    real = {
        (entry["kind"], entry["name"]): entry["object"]
        for entry in json.loads((folder / "live-after.json").read_text())
    }
    for resource in prediction.resources:
        if resource.unknown:
            continue
        found = real[(resource.key.kind, resource.key.name)]
        assert comparable(resource.predicted) == comparable(found), resource.key


@pytest.mark.parametrize("name", list(FLOORS))
def test_floor_over_all_recordings(name: str) -> None:
    shared = shared_traces()
    if shared is None:
        pytest.skip("the recorded operations are not at hand (set HELMGUARD_SHARED)")
    score = _scoring(shared)
    scored = []
    for folder in sorted((shared / name).iterdir()):
        if (folder / "live-after.json").exists():
            plan = plan_json(predict_operation(read_trace(folder)))
            scored.append(score.score_trace(str(folder), {_trace_id(folder): score.from_plan(plan)}))
    figures = score.figures(scored)
    assert figures["trace_values_pct"] >= FLOORS[name], figures
    assert figures["false_alarms"] == 0, figures


def _trace_id(folder: Path) -> str:
    first = (folder / "scenario.yaml").read_text().splitlines()[0]
    return first.removeprefix("id: ").strip().strip("'\"")


def _scoring(shared: Path) -> Any:
    """The scoring program beside the recordings."""
    sys.path.insert(0, str(shared / "scoring"))
    try:
        spec = importlib.util.spec_from_file_location("trace_score", shared / "scoring" / "score.py")
        assert spec is not None
        assert spec.loader is not None
        module: ModuleType = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def _squeezed(text: str) -> str:
    return " ".join(text.split())
