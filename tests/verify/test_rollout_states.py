"""How far a workload is, by its status alone: kubectl's words where kubectl has some."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.model.resource_key import ResourceKey
from helmguard.verify.rollout_state import removed_job, rollout_of

JSON = dict[str, Any]


def state(group: str, kind: str, spec: JSON, status: JSON, generation: int = 1) -> tuple[str, str]:
    body = {"kind": kind, "metadata": {"generation": generation}, "spec": spec, "status": status}
    found = rollout_of(ResourceKey(group, kind, "shop", "web"), body)
    return found.state, found.words


def condition(type_: str, status: str = "True", **more: str) -> JSON:
    return {"conditions": [{"type": type_, "status": status, **more}]}


SEEN = {"observedGeneration": 1}
LATE = condition("Progressing", "False", reason="ProgressDeadlineExceeded")
NEW = {"currentRevision": "b", "updateRevision": "b"}


def counts(updated: int, replicas: int, available: int) -> JSON:
    return {**SEEN, "updatedReplicas": updated, "replicas": replicas, "availableReplicas": available}


@pytest.mark.parametrize(
    ("spec", "status", "wanted"),
    [
        ({"replicas": 3}, {}, "progressing"),
        (
            {"replicas": 3},
            counts(2, 4, 3),
            "progressing",
        ),
        (
            {"replicas": 3},
            counts(3, 4, 3),
            "progressing",
        ),
        (
            {"replicas": 3},
            counts(3, 3, 2),
            "progressing",
        ),
        ({"replicas": 3}, counts(3, 3, 3), "done"),
        ({"replicas": 0}, SEEN, "done"),
        ({"replicas": 3, "paused": True}, {**SEEN, "updatedReplicas": 0, "replicas": 3}, "stuck"),
        (
            {"replicas": 3},
            {**SEEN, **LATE},
            "failed",
        ),
    ],
)
def test_a_deployment(spec: JSON, status: JSON, wanted: str) -> None:
    assert state("apps", "Deployment", spec, status)[0] == wanted


@pytest.mark.parametrize(
    ("strategy", "status", "wanted"),
    [
        ({"type": "RollingUpdate"}, {"readyReplicas": 2, "updatedReplicas": 3}, "progressing"),
        (
            {"type": "RollingUpdate"},
            {"readyReplicas": 3, "updatedReplicas": 1, "currentRevision": "a", "updateRevision": "b"},
            "progressing",
        ),
        (
            {},
            {"readyReplicas": 3, "updatedReplicas": 3, "currentRevision": "b", "updateRevision": "b"},
            "done",
        ),
        ({"rollingUpdate": {"partition": 2}}, {"readyReplicas": 3, "updatedReplicas": 0}, "progressing"),
        (
            {"rollingUpdate": {"partition": 2}},
            {"readyReplicas": 3, "updatedReplicas": 1, "currentRevision": "a", "updateRevision": "b"},
            "done",
        ),
        (
            {"type": "OnDelete"},
            {"readyReplicas": 3, "replicas": 3, "currentRevision": "a", "updateRevision": "b"},
            "done",
        ),
    ],
)
def test_a_stateful_set(strategy: JSON, status: JSON, wanted: str) -> None:
    found, words = state(
        "apps", "StatefulSet", {"replicas": 3, "updateStrategy": strategy}, {**SEEN, **status}
    )
    assert found == wanted
    assert ("OnDelete" in words) == (strategy.get("type") == "OnDelete")


@pytest.mark.parametrize(
    ("status", "wanted"),
    [
        ({"desiredNumberScheduled": 3, "updatedNumberScheduled": 2, "numberAvailable": 3}, "progressing"),
        ({"desiredNumberScheduled": 3, "updatedNumberScheduled": 3, "numberAvailable": 2}, "progressing"),
        ({"desiredNumberScheduled": 3, "updatedNumberScheduled": 3, "numberAvailable": 3}, "done"),
        ({"desiredNumberScheduled": 0}, "done"),
    ],
)
def test_a_daemon_set(status: JSON, wanted: str) -> None:
    assert state("apps", "DaemonSet", {}, {**SEEN, **status})[0] == wanted
    assert state("apps", "DaemonSet", {}, {**SEEN, **status}, generation=2)[0] == "progressing"


@pytest.mark.parametrize(
    ("spec", "status", "wanted"),
    [
        ({}, {"active": 1}, "progressing"),
        ({}, condition("Complete"), "done"),
        ({}, condition("Failed", reason="BackoffLimitExceeded"), "failed"),
        ({"suspend": True}, {}, "done"),
    ],
)
def test_a_job(spec: JSON, status: JSON, wanted: str) -> None:
    assert state("batch", "Job", spec, status)[0] == wanted


@pytest.mark.parametrize(
    ("status", "wanted"),
    [
        ({}, "progressing"),
        ({"phase": "Running"}, "progressing"),
        ({"phase": "Running", **condition("Ready")}, "done"),
        ({"phase": "Succeeded"}, "done"),
        ({"phase": "Failed", "message": "evicted"}, "failed"),
    ],
)
def test_a_pod(status: JSON, wanted: str) -> None:
    assert state("", "Pod", {}, status)[0] == wanted


@pytest.mark.parametrize(
    ("events", "wanted"),
    [
        ([], "failed"),
        ([("Completed", "1")], "done"),
        ([("Completed", "1"), ("BackoffLimitExceeded", "2")], "failed"),
        ([("BackoffLimitExceeded", "1"), ("SuccessfulCreate", "2"), ("Completed", "3")], "done"),
    ],
)
def test_a_job_that_is_gone(events: list[tuple[str, str]], wanted: str) -> None:
    told = [{"reason": reason, "lastTimestamp": time} for reason, time in events]
    assert removed_job(ResourceKey("batch", "Job", "shop", "a"), told).state == wanted


def test_what_is_being_deleted_is_no_success() -> None:
    body = {"metadata": {"deletionTimestamp": "2026-11-30T01:00:00Z"}, "spec": {}, "status": {}}
    assert rollout_of(ResourceKey("", "Pod", "shop", "a"), body).state == "failed"
