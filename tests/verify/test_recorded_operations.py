"""Recorded operations of the real Helm: what became of the objects is what was foretold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helmguard.model.field_path import format_path
from helmguard.model.live_state import Absent, LiveState, Present
from helmguard.model.resource_key import ResourceKey
from helmguard.planner.offline import plan_from_bundle
from helmguard.planner.request import BundleOverrides
from helmguard.verify.actual import compare_objects

RECORDINGS = Path(__file__).parents[2] / "fixtures" / "traces"


def actual_after(recording: Path) -> dict[ResourceKey, LiveState]:
    entries = json.loads((recording / "live-after.json").read_text())
    return {
        ResourceKey.of(entry["apiVersion"], entry["kind"], entry["namespace"], entry["name"]): (
            Present(entry["object"]) if entry["object"] is not None else Absent()
        )
        for entry in entries
    }


@pytest.mark.parametrize(
    "recording",
    [path for path in sorted(RECORDINGS.iterdir()) if (path / "live-after.json").exists()],
    ids=lambda path: path.name,
)
def test_no_false_alarm(recording: Path) -> None:
    plan = plan_from_bundle(str(recording), BundleOverrides())
    found = compare_objects(plan, actual_after(recording))
    assert [
        (str(item.key), item.kind, [format_path(field.path) for field in item.fields])
        for item in found.differences
    ] == []
    assert found.unknown == ()
