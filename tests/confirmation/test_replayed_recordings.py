"""Recorded operations brought back to a real API server: asking it makes no prediction worse."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from replaying import LEVELS, copied_recording, open_replay, scoring, shared_folder
from restoring import restore_trace

RECORDINGS = (
    "traces/cm-live-edit-same-key--h4",
    "traces/cm-unicode--h4",
    "traces/container-renamed--h3",
    "traces/deleted-live--h4",
    "traces/deploy-selector-immutable--h4",
    "traces/env-value-to-valuefrom-drift--h4",
    "traces/finalizer-blocked--h4",
    "traces/force--h3-force",
    "traces/ssa-conflict--h4csa",
    "traces/hook-configmaps--h3",
    "traces/image-set-live-noop--h4fc",
    "traces/invalid-object--h4",
    "traces/kind-list--h4",
    "traces/migrate-h3-to-h4-drift--mig-ssa",
    "traces/quantity-normalise--h3",
    "traces/removed-keep-policy-live--h4",
    "traces/replicas-dropped-from-chart--h4",
    "traces/rollback-after-drift--h4",
    "traces/rollback-after-failed-upgrade--h3",
    "traces/secret-stringdata--h4",
    "traces/ssa-conflict--h4",
    "traces/sts-vct-immutable--h3",
    "traces-random/r4-0073--h3force",
)


@pytest.mark.parametrize("name", RECORDINGS)
def test_the_server_makes_no_prediction_worse(
    name: str, control_plane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    shared = shared_folder()
    if shared is None:
        pytest.skip("the recorded operations are not at hand (set HELMGUARD_SHARED)")
    folder = copied_recording(shared / name, tmp_path / "recording", namespace)
    assert restore_trace(control_plane, folder) == [], "objects outside of the namespace would stay"
    replay = open_replay(control_plane, folder)
    score = scoring(shared)
    alone, asked = replay.plan("never"), replay.plan("always")
    scored = [replay.score(plan, score) for plan in (alone, asked)]
    for level in LEVELS:
        assert scored[1][level] >= scored[0][level], level
    assert [resource for resource in asked.resources if resource.local_differs] == []
    assert asked.dry_run.answered == asked.dry_run.asked
    assert alone.dry_run.asked == 0
