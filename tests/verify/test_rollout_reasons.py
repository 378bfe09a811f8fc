"""Why a workload is no further, from what lies around it."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.verify.rollout_reasons import Reasons, Surrounding, reasons_of

JSON = dict[str, Any]
SET: JSON = {"kind": "StatefulSet", "metadata": {"uid": "set", "name": "db", "namespace": "shop"}}


def pod(name: str = "db-0", status: JSON | None = None, **spec: Any) -> JSON:
    metadata = {"name": name, "uid": name, "namespace": "shop", "ownerReferences": [{"uid": "set"}]}
    return {"metadata": metadata, "spec": spec, "status": status or {}}


def container(state: JSON, last: JSON | None = None, **more: Any) -> JSON:
    found = {"name": "db", "image": "db:1", "ready": False, "state": state, **more}
    return {"containerStatuses": [{**found, "lastState": last or {}}]}


def event(about: str, reason: str, message: str, at: str = "2026-11-30T01:00:00Z") -> JSON:
    return {"involvedObject": {"uid": about}, "reason": reason, "message": message, "lastTimestamp": at}


def reasons(*pods: JSON, **around: Any) -> Reasons:
    return reasons_of(SET, Surrounding(pods=pods, **{name: tuple(items) for name, items in around.items()}))


CRASH = {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}


@pytest.mark.parametrize(
    ("status", "said", "blocked"),
    [
        (
            {"conditions": [{"type": "PodScheduled", "status": "False", "message": "0/3 are available"}]},
            "pod db-0: no node can take it: 0/3 are available",
            True,
        ),
        (
            container({"waiting": {"reason": "CrashLoopBackOff"}}, CRASH),
            "pod db-0: container db: CrashLoopBackOff, last exit code 137 (OOMKilled)",
            True,
        ),
        (
            container({"waiting": {"reason": "ErrImagePull", "message": "not found"}}),
            "pod db-0: container db: ErrImagePull for db:1: not found",
            True,
        ),
        (
            container(
                {"waiting": {"reason": "CreateContainerConfigError", "message": "secret a is not there"}}
            ),
            "pod db-0: container db: CreateContainerConfigError: secret a is not there",
            True,
        ),
        (
            container({"running": {}}, CRASH),
            "pod db-0: container db runs again, last exit code 137 (OOMKilled)",
            False,
        ),
        (
            {"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory."},
            "pod db-0: Evicted: The node was low on resource: memory.",
            True,
        ),
    ],
)
def test_a_pod(status: JSON, said: str, blocked: bool) -> None:
    assert reasons(pod(status=status)) == Reasons((said,), blocked)


def test_a_pod_that_starts_or_is_well_is_no_reason() -> None:
    assert reasons(pod(status=container({"waiting": {"reason": "ContainerCreating"}}))) == Reasons()
    ready = {"conditions": [{"type": "Ready", "status": "True"}], **container({"running": {}}, CRASH)}
    assert reasons(pod(status=ready)) == Reasons()
    foreign = pod(status=container({"waiting": {"reason": "CrashLoopBackOff"}}))
    foreign["metadata"]["ownerReferences"] = [{"uid": "other"}]
    assert reasons(foreign) == Reasons()


def test_one_trouble_of_several_pods_is_said_once() -> None:
    status = container({"waiting": {"reason": "ErrImagePull", "message": "not found"}})
    found = reasons(pod("db-0", status), pod("db-1", status))
    assert found.texts == ("2 pods, db-0 and others: container db: ErrImagePull for db:1: not found",)


def test_events_where_nothing_else_tells() -> None:
    starting = pod(status=container({"waiting": {"reason": "ContainerCreating"}}))
    mount = event("db-0", "FailedMount", 'secret "login" not found')
    assert reasons(starting, events=[mount]).texts == ('pod db-0: FailedMount: secret "login" not found',)
    create = event("set", "FailedCreate", "exceeded quota: few")
    assert reasons(events=[create]) == Reasons(("FailedCreate: exceeded quota: few",), True)
    folded = event("set", "FailedCreate", "(combined from similar events): exceeded quota: few")
    assert reasons(events=[folded]).texts == ("FailedCreate: exceeded quota: few",)
    assert reasons(starting, events=[event("db-0", "Pulled", "done")]) == Reasons()


def test_an_event_does_not_repeat_what_the_pod_says() -> None:
    status = {"conditions": [{"type": "PodScheduled", "status": "False", "message": "none fits"}]}
    repeated = event("db-0", "FailedScheduling", "none fits")
    assert reasons(pod(status=status), events=[repeated]).texts == (
        "pod db-0: no node can take it: none fits",
    )


def test_a_claim_that_is_pending() -> None:
    status = {"conditions": [{"type": "PodScheduled", "status": "False", "message": "unbound claims"}]}
    claim = {
        "metadata": {"name": "data", "namespace": "shop", "uid": "claim"},
        "spec": {"storageClassName": "fast"},
        "status": {"phase": "Pending"},
    }
    failed = event("claim", "ProvisioningFailed", "no such class")
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    found = reasons(pod(status=status, volumes=volumes), claims=[claim], events=[failed])
    assert "pod db-0: claim data is Pending (storage class fast): no such class" in found.texts


def test_a_node_in_trouble() -> None:
    conditions = [
        {"type": "Ready", "status": "True"},
        {"type": "DiskPressure", "status": "True", "message": "full"},
    ]
    node = {"metadata": {"name": "n"}, "status": {"conditions": conditions}}
    found = reasons(pod(nodeName="n"), nodes=[node])
    assert found == Reasons(("pod db-0: node n has DiskPressure: full",), False)


def test_what_could_not_be_read_is_said() -> None:
    assert reasons(unread=["pods is forbidden"]).texts == ("pods is forbidden",)
