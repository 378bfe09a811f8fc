"""Recorded operations of the real Helm: what became of the objects is what was foretold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helmguard.model.field_path import format_path
from helmguard.model.live_state import Absent, LiveState, Present
from helmguard.model.resource_key import ResourceKey
from helmguard.planner.drift_offline import drift_from_bundle
from helmguard.planner.offline import plan_from_bundle
from helmguard.planner.request import BundleOverrides
from helmguard.verify.actual import compare_objects
from helmguard.verify.release_objects import compare_release

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


def test_what_others_put_into_lists_of_helm() -> None:
    """Items more, by a program that nobody types: Helm's own are all there."""
    recording = RECORDINGS / "custom-resource-lists--h4"
    found = compare_release(drift_from_bundle(str(recording), BundleOverrides()))
    assert found.differences == ()
    (remark,) = found.remarks
    fields = {format_path(field.path): (field.manager, field.note) for field in remark.fields}
    assert fields == {
        "spec.tags": ("other", "changed since"),
        "spec.parts": ("other", "changed since"),
    }


def test_the_time_of_a_change_is_told_once() -> None:
    found = compare_release(drift_from_bundle(str(RECORDINGS / "many-managers--h3"), BundleOverrides()))
    (differing,) = found.differences
    assert any(field.since for field in differing.fields)
    assert not any(field.note.startswith("changed ") for field in differing.fields)


def test_a_restart_by_hand_is_no_difference() -> None:
    recording = RECORDINGS.parent / "labelled" / "harmless" / "restarted-by-hand--h4"
    found = compare_release(drift_from_bundle(str(recording), BundleOverrides()))
    assert found.differences == ()
    assert [field.note for remark in found.remarks for field in remark.fields] == ["restarted since"]
