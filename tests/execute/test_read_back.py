"""What is told of a run that did not succeed, from what the cluster holds."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from helmguard.execute.next_steps import next_steps, way_back
from helmguard.execute.read_back import outcomes, own_revision
from helmguard.model.action import Action
from helmguard.model.execution import RevisionFound
from helmguard.model.live_state import Absent, LiveState, Present, Unreadable
from helmguard.model.plan import (
    ChartRef,
    Engine,
    Plan,
    PlanOperation,
    ReleaseSummary,
    ResourceChange,
    ValuesReport,
)
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey

KEY = ResourceKey.of("v1", "ConfigMap", "shop", "web")


def plan_of(*resources: ResourceChange, operation: PlanOperation = "upgrade", start: int | None = 3) -> Plan:
    chart = ChartRef("web", "1.0.0")
    release = ReleaseSummary("web", "shop", start, start, (start or 0) + 1, "deployed", chart, chart)
    engine = Engine("3.22.0", "csa", "", "template")
    return Plan(operation, release, engine, ValuesReport("reuse", ""), resources)


def config_map(text: str, version: str = "1", **metadata: Any) -> dict[str, Any]:
    meta = {"name": "web", "namespace": "shop", "resourceVersion": version, "uid": "u", **metadata}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": {"a": text}}


def meant(action: Action, before: LiveState, predicted: dict[str, Any] | None, **more: Any) -> ResourceChange:
    prediction = ResourcePrediction(
        key=KEY,
        api_version="v1",
        action=action,
        previous=None,
        new=predicted,
        live=before,
        predicted=predicted,
        **more,
    )
    return ResourceChange(prediction)


OLD, NEW = Present(config_map("old")), config_map("new")
DELETING = Present(config_map("old", deletionTimestamp="2026-11-30T00:00:00Z"))


@pytest.mark.parametrize(
    ("change", "now", "state"),
    [
        (meant("update", OLD, NEW), Present(config_map("new", "2")), "done"),
        (meant("update", OLD, NEW), OLD, "not done"),
        (meant("update", OLD, NEW), Present(config_map("old", "7")), "not done"),
        (meant("update", OLD, NEW), Present(config_map("third", "2")), "otherwise"),
        (meant("update", OLD, NEW), Absent(), "otherwise"),
        (meant("update", OLD, NEW), Unreadable("forbidden"), "unknown"),
        (meant("update", Unreadable("forbidden"), NEW), OLD, "unknown"),
        (meant("create", Absent(), NEW), Absent(), "not done"),
        (meant("create", Absent(), NEW), Present(NEW), "done"),
        (meant("delete", OLD, None), Absent(), "done"),
        (meant("delete", OLD, None), DELETING, "done"),
        (meant("delete", OLD, None), OLD, "not done"),
        (meant("unknown", OLD, NEW, unknown="not predictable"), Present(config_map("x", "2")), "otherwise"),
    ],
)
def test_an_object(change: ResourceChange, now: LiveState, state: str) -> None:
    (found,) = outcomes(plan_of(change), [change], {KEY: now})
    assert found.state == state
    assert bool(found.why) == (state in ("otherwise", "unknown"))


FAILED, PENDING = RevisionFound(4, "failed"), RevisionFound(4, "pending-upgrade")


@pytest.mark.parametrize(
    ("revisions", "message", "version", "own"),
    [
        ((FAILED,), "cannot patch", None, FAILED),
        ((), "cannot patch", None, None),
        ((PENDING,), "another operation (install/upgrade/rollback) is in progress", None, None),
        ((PENDING,), 'create: failed: secrets "sh.helm.release.v1.web.v4" already exists', None, None),
        ((FAILED,), 'failed to create resource: configmaps "x" already exists', None, FAILED),
        ((RevisionFound(4, "superseded"), RevisionFound(5, "deployed")), "", 5, RevisionFound(5, "deployed")),
    ],
)
def test_the_own_revision(
    revisions: tuple[RevisionFound, ...], message: str, version: int | None, own: RevisionFound | None
) -> None:
    assert own_revision(plan_of(), revisions, message, version) == own


STATUS = "helmguard status web -n shop --kube-context prod"
ROLLBACK = "helmguard rollback web 3 -n shop --kube-context prod"


@pytest.mark.parametrize(
    ("plan", "own", "revisions", "unread", "steps"),
    [
        (plan_of(), FAILED, (FAILED,), False, (STATUS, ROLLBACK)),
        (plan_of(), PENDING, (PENDING,), False, (STATUS, ROLLBACK)),
        (plan_of(), None, (), False, ()),
        # Somebody else is at work: what they do is theirs.
        (plan_of(), None, (PENDING,), False, (STATUS,)),
        (plan_of(), None, (), True, (STATUS,)),
        # Rolled back by helm itself.
        (plan_of(), FAILED, (FAILED, RevisionFound(5, "deployed", "Rollback to 3")), False, (STATUS,)),
        (
            plan_of(operation="install", start=None),
            RevisionFound(1, "failed"),
            (RevisionFound(1, "failed"),),
            False,
            (STATUS, "helm uninstall web -n shop --kube-context prod"),
        ),
    ],
)
def test_what_to_run_next(
    plan: Plan,
    own: RevisionFound | None,
    revisions: tuple[RevisionFound, ...],
    unread: bool,
    steps: tuple[str, ...],
) -> None:
    assert next_steps(plan, ["--kube-context", "prod"], own, revisions, unread) == steps


def test_a_rollback_that_was_cut_off_is_finished() -> None:
    plan = plan_of(operation="rollback")
    pending = RevisionFound(4, "pending-rollback")
    steps = next_steps(plan, [], pending, (pending,), False, finish=1)
    assert steps == ("helmguard status web -n shop", "helmguard rollback web 1 -n shop")


def test_a_failed_rollback_names_no_failed_revision_to_go_back_to() -> None:
    plan = plan_of(operation="rollback")
    assert next_steps(plan, [], FAILED, (FAILED,), False)[1:] == ("helmguard rollback web 3 -n shop",)
    from_failed = replace(plan, release=replace(plan.release, status="failed"))
    assert next_steps(from_failed, [], FAILED, (FAILED,), False) == ("helmguard status web -n shop",)


def test_the_way_back() -> None:
    assert way_back(plan_of(), ["--kube-context", "prod"]) == (ROLLBACK,)
    from_failed = plan_of(operation="rollback")
    assert way_back(from_failed, []) == ("helmguard rollback web 3 -n shop",)
    assert way_back(replace(from_failed, release=replace(from_failed.release, status="failed")), []) == ()
    install = plan_of(operation="install", start=None)
    assert way_back(replace(install, operation="install"), []) == ()


JOB = ResourceKey.of("batch/v1", "Job", "shop", "migrate")


def job(uid: str) -> Present:
    metadata = {"name": "migrate", "namespace": "shop", "uid": uid}
    return Present({"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata})


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (Absent(), Absent(), False),
        (Absent(), job("new"), True),
        (job("old"), job("old"), False),
        (job("old"), job("new"), True),
        (Absent(), Unreadable("forbidden"), False),
    ],
)
def test_of_hooks_what_was_left_is_told(before: LiveState, now: LiveState, told: bool) -> None:
    prediction = ResourcePrediction(JOB, "batch/v1", "hook", None, {}, before, None)
    change = ResourceChange(prediction, hook_events=("pre-upgrade",))
    found = outcomes(plan_of(change), [change], {JOB: now})
    assert [each.state for each in found] == (["otherwise"] if told else [])
