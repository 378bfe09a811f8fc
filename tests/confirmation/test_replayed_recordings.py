"""Recorded operations brought back to a real API server: asking it makes no prediction worse."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from replaying import LEVELS, copied_recording, open_replay, scoring, shared_folder
from restoring import restore_trace

RECORDINGS = (
    "cm-live-edit-same-key--h4",
    "cm-unicode--h4",
    "container-renamed--h3",
    "deleted-live--h4",
    "deploy-selector-immutable--h4",
    "env-value-to-valuefrom-drift--h4",
    "finalizer-blocked--h4",
    "force--h3-force",
    "h4-csa-mix--h4csa",
    "hook-configmaps--h3",
    "image-set-live-noop--h4fc",
    "invalid-object--h4",
    "kind-list--h4",
    "migrate-h3-to-h4-drift--mig-ssa",
    "quantity-normalise--h3",
    "removed-keep-policy-live--h4",
    "replicas-dropped-from-chart--h4",
    "rollback-after-drift--h4",
    "rollback-after-failed-upgrade--h3",
    "secret-stringdata--h4",
    "ssa-conflict--h4",
    "sts-vct-immutable--h3",
)


@pytest.mark.parametrize("name", RECORDINGS)
def test_the_server_makes_no_prediction_worse(
    name: str, control_plane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    shared = shared_folder()
    if shared is None:
        pytest.skip("the recorded operations are not at hand (set HELMGUARD_SHARED)")
    folder = copied_recording(shared / "traces" / name, tmp_path / "recording", namespace)
    restore_trace(control_plane, folder)
    replay = open_replay(control_plane, folder)
    score = scoring(shared)
    alone, asked = replay.plan("never"), replay.plan("always")
    scored = [replay.score(plan, score) for plan in (alone, asked)]
    for level in LEVELS:
        assert scored[1][level] >= scored[0][level], level
    assert [resource for resource in asked.resources if resource.local_differs] == []
    assert asked.dry_run.answered == asked.dry_run.asked
    assert alone.dry_run.asked == 0
