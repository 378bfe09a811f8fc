"""A Job that is removed after its end is no reason to do anything, least of all to run it again."""

from __future__ import annotations

from release_trial import ReleaseTrial, config_map

JOB = """---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate}
spec:
  %s
  suspend: true
  template: {spec: {restartPolicy: Never, containers: [{name: c, image: registry.example.com/m:1}]}}
"""


def test_a_job_that_removed_itself_is_no_drift(trial: ReleaseTrial) -> None:
    """The test itself removes it, as the controller does."""
    assert not trial.upgrade(config_map("conf", a="1") + JOB % "ttlSecondsAfterFinished: 0")
    trial.cluster.remove(trial.at("jobs", "migrate", "/apis/batch/v1"))
    trial.cluster.wait_for(trial.at("jobs", "migrate", "/apis/batch/v1"), lambda found: found is None)
    state = trial.status()
    assert (state.exit_code, state.drift, state.ways_out, state.unknown) == (0, "", (), ())


def test_any_other_job_that_is_gone_is_missing(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(config_map("conf", a="1") + JOB % "backoffLimit: 1")
    trial.cluster.remove(trial.at("jobs", "migrate", "/apis/batch/v1"))
    trial.cluster.wait_for(trial.at("jobs", "migrate", "/apis/batch/v1"), lambda found: found is None)
    state = trial.status()
    assert state.exit_code == 2
    assert "1 object missing" in state.drift
