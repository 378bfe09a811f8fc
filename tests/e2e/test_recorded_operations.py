"""Recorded operations planned from their folders, as bundles, by the public API."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest
from helmguard_program import CHECKOUT

import helmguard

FLOORS = {"traces": 95.0, "traces-random": 100.0}
"""Least share of operations, per cent, that are foretold wholly right, values included."""


def _shared() -> Path | None:
    named = os.environ.get("HELMGUARD_SHARED")
    place = Path(named) if named else CHECKOUT.parent / "shared"
    return place if (place / "traces").is_dir() and (place / "scoring").is_dir() else None


def _scoring(shared: Path) -> ModuleType:
    sys.path.insert(0, str(shared / "scoring"))
    spec = importlib.util.spec_from_file_location("bundle_score", shared / "scoring" / "score.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", list(FLOORS))
def test_all_recordings(name: str) -> None:
    shared = _shared()
    if shared is None:
        pytest.skip("the recorded operations are not at hand (set HELMGUARD_SHARED)")
    score = _scoring(shared)
    schema = jsonschema.Draft202012Validator(json.loads((CHECKOUT / "docs" / "plan.schema.json").read_text()))
    scored = []
    folders = [
        folder for folder in sorted((shared / name).iterdir()) if (folder / "live-after.json").exists()
    ]
    for number, folder in enumerate(folders):
        document = helmguard.plan_bundle(folder).to_dict(show_secrets=True)
        if number % 10 == 0:
            schema.validate(document)
        assert document["unknown"] or document["exitCode"] in (0, 2, 3)
        trace = score.load_trace(str(folder))[0]["id"]
        scored.append(score.score_trace(str(folder), {trace: score.from_plan(document)}))
    figures = score.figures(scored)
    assert figures["traces"] > 100
    assert figures["false_alarms"] == 0, figures
    assert figures["trace_values_pct"] >= FLOORS[name], figures
