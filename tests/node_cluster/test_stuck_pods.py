"""Pods that hang for want of a layer, and which layer their events tell of."""

from __future__ import annotations

import pytest
from side_objects import REFUSED, event, facts, gpu_node, node, pod, runtime_class, side

from helmguard.rules.context.handler_stuck import StuckPods, missing_layer, shortened
from helmguard.rules.context.handlers import handlers_of
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.node_side import NodeSide

SANDBOX = "0123456789abcdef" * 4


def stuck(of: NodeSide) -> list[StuckPods]:
    found = handlers_of(of).stuck
    assert found is not UNKNOWN
    return list(found)


@pytest.mark.parametrize(
    ("message", "layer"),
    [
        (REFUSED.format(handler="nvidia"), "registration"),
        ("nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown", "kernel"),
        (
            "nvidia-container-cli: initialization error: driver error: failed to process request: unknown",
            "kernel",
        ),
        (
            "nvidia-container-cli.real: initialization error: load library failed: libnvidia-ml.so.1: cannot "
            "open shared object file: no such file or directory: unknown",
            "user space",
        ),
        ("nvml error: driver/library version mismatch: unknown", "user space"),
        ("CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=0", "injection"),
        (
            "failed to create shim: fork/exec /usr/bin/nvidia-container-runtime: no such file or directory",
            "program",
        ),
        ("network is not ready: cni plugin not initialized", None),
        ("fork/exec /usr/bin/crun: no such file or directory", None),
    ],
)
def test_a_message_tells_the_layer(message: str, layer: str | None) -> None:
    assert missing_layer(message) == layer


def test_hanging_pods_of_one_cause_are_told_together() -> None:
    refused = REFUSED.format(handler="nvidia")
    of = side(
        nodes=[gpu_node("gpu-a"), gpu_node("gpu-b")],
        runtimeClasses=[runtime_class("gpus", "nvidia")],
        allPods=[
            pod("one", "gpus", on="gpu-a", phase="Pending"),
            pod("two", "gpus", on="gpu-b", phase="Pending"),
            pod("fine", "gpus", on="gpu-b"),
            pod("unplaced", "gpus", phase="Pending"),
        ],
        events=[event(name, refused) for name in ("one", "two", "fine", "gone")],
    )
    (found,) = stuck(of)
    assert (found.layer, found.handler, found.ref) == ("registration", "nvidia", "RuntimeClass/gpus")
    assert (found.pods, found.nodes) == (("shop/one", "shop/two"), ("gpu-a", "gpu-b"))


def test_the_last_event_counts() -> None:
    of = side(
        nodes=[node("a")],
        runtimeClasses=[],
        allPods=[pod("x", on="a", phase="Pending")],
        events=[
            event("x", "unresolvable CDI devices nvidia.com/gpu=0", when="2026-01-02T00:00:00Z"),
            event("x", REFUSED.format(handler="nvidia"), when="2026-01-01T00:00:00Z"),
            event("x", "network is not ready", when="2026-01-03T00:00:00Z"),
        ],
    )
    assert [one.layer for one in stuck(of)] == ["injection"]


def test_a_container_that_cannot_be_made_hangs_too() -> None:
    body = pod("x", on="a")
    body["status"]["containerStatuses"] = [
        {"name": "c", "state": {"waiting": {"reason": "RunContainerError"}}}
    ]
    message = "load library failed: libnvidia-ml.so.1"
    (found,) = stuck(side(nodes=[node("a")], runtimeClasses=[], allPods=[body], events=[event("x", message)]))
    assert (found.layer, found.ref) == ("user space", "")


def test_a_pod_that_is_deleted_hangs_no_more() -> None:
    body = pod("x", "nvidia", on="a", phase="Pending")
    body["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    told = [event("x", REFUSED.format(handler="nvidia"))]
    assert stuck(side(nodes=[node("a")], runtimeClasses=[], allPods=[body], events=told)) == []


def test_files_that_configure_the_handler_by_now() -> None:
    of = side(
        facts("gpu-a", "nvidia"),
        nodes=[gpu_node("gpu-a")],
        runtimeClasses=[runtime_class("nvidia")],
        allPods=[pod("x", "nvidia", on="gpu-a", phase="Pending")],
        events=[event("x", REFUSED.format(handler="nvidia"))],
    )
    assert stuck(of)[0].configured == ("gpu-a",)


def test_without_pods_or_events_nobody_knows() -> None:
    assert handlers_of(side(nodes=[], runtimeClasses=[], allPods=[])).stuck is UNKNOWN
    assert handlers_of(side(nodes=[], runtimeClasses=[], events=[])).stuck is UNKNOWN


def test_a_message_is_shortened() -> None:
    text = shortened(f'failed to reserve sandbox "{SANDBOX}":\n  no runtime')
    assert text == "failed to reserve sandbox …: no runtime"
    assert len(shortened("x" * 1000)) < 310
