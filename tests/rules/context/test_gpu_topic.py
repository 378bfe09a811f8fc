"""What rules learn about the GPU Operator: its policy, its nodes, and what will run."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import facts
from msgspec.structs import replace

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.field_change import FieldChange
from helmguard.model.live_state import Absent, Present, Unreadable
from helmguard.model.plan import ChartRef, ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.gpu import Gpu, gpu_of
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.facts import Facts

POLICY = ResourceKey("nvidia.com", "ClusterPolicy", None, "cluster-policy")


def policy(before: Any, after: Any, *changes: FieldChange, action: str = "update") -> ResourceChange:
    def body(spec: Any) -> Any:
        return (
            None if spec is None else {"apiVersion": "nvidia.com/v1", "kind": "ClusterPolicy", "spec": spec}
        )

    prediction = ResourcePrediction(
        key=POLICY,
        api_version="nvidia.com/v1",
        action=action,  # type: ignore[arg-type]
        previous=body(before),
        new=body(after),
        live=Present(body(before)) if before is not None else Absent(),
        predicted=body(after),
    )
    return ResourceChange(prediction, changes)


def running(kind: str, name: str, spec: Any) -> ResourceChange:
    key = ResourceKey("apps", kind, "gpu-operator", name)
    body = {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}
    prediction = ResourcePrediction(key, "apps/v1", "unchanged", body, body, Present(body), body)
    return ResourceChange(prediction)


def node(name: str, gpu: bool = True, **labels: str) -> dict[str, Any]:
    marks = {"nvidia.com/gpu.present": "true"} if gpu else {}
    named = {label.replace("__", "/").replace("_", "."): value for label, value in labels.items()}
    return {
        "metadata": {"name": name, "labels": {**marks, **named}},
        "status": {
            "nodeInfo": {"containerRuntimeVersion": "containerd://2.1.4"},
            "allocatable": {"nvidia.com/gpu": "1"} if gpu else {},
        },
    }


def gpu(found: Facts, **lists: Any) -> Gpu:
    cluster = ClusterFacts(lists={name: tuple(items) for name, items in lists.items()})
    return gpu_of(replace(found, cluster=cluster))


SEED_POLICY = {"driver": {"enabled": False}, "dcgm": {"enabled": False}, "migManager": {"enabled": True}}
SEED_NODES = [node("cp-1", gpu=False), *(node(f"gpu-{letter}") for letter in "abcd")]


def test_the_composition_of_the_field_report() -> None:
    stack = facts(
        policy(SEED_POLICY, {**SEED_POLICY, "toolkit": {"enabled": True}}),
        running("Deployment", "gpu-operator", {"replicas": 1}),
        running("Deployment", "nfd-master", {"replicas": 1}),
        running("Deployment", "nfd-gc", {"replicas": 1}),
        running("DaemonSet", "nfd-worker", {"template": {"spec": {}}}),
    )
    found = gpu(stack, nodes=SEED_NODES)
    assert found.composition is not UNKNOWN
    assert {one.name: one.pods for one in found.composition} == {
        "Deployment/gpu-operator": 1,
        "Deployment/nfd-master": 1,
        "Deployment/nfd-gc": 1,
        "DaemonSet/nfd-worker": 5,
        "nvidia-container-toolkit-daemonset": 4,
        "nvidia-operator-validator": 4,
        "nvidia-cuda-validator": 4,
        "nvidia-device-plugin-daemonset": 4,
        "nvidia-dcgm-exporter": 4,
        "gpu-feature-discovery": 4,
    }
    assert found.pods_expected == 32


@pytest.mark.parametrize(
    ("label", "value", "component", "pods"),
    [
        ("nvidia_com__gpu_deploy_driver", "pre-installed", "nvidia-driver-daemonset", 3),
        ("nvidia_com__gpu_deploy_driver", "true", "nvidia-driver-daemonset", 4),
        ("nvidia_com__gpu_deploy_device-plugin", "false", "nvidia-device-plugin-daemonset", 3),
        ("nvidia_com__mig_capable", "true", "nvidia-mig-manager", 1),
    ],
)
def test_labels_of_a_node_keep_operands_away_or_bring_them(
    label: str, value: str, component: str, pods: int
) -> None:
    nodes = [node("gpu-0", **{label: value}), *(node(f"gpu-{n}") for n in range(1, 4))]
    found = gpu(facts(policy({}, {"driver": {"enabled": True}})), nodes=nodes)
    assert found.composition is not UNKNOWN
    assert {one.name: one.pods for one in found.composition}[component] == pods


def test_without_nodes_nothing_is_told_about_them() -> None:
    found = gpu(facts(policy({}, {})))
    assert (found.nodes, found.pods, found.composition, found.foreign_discoveries) == (UNKNOWN,) * 4


def test_a_change_of_the_policy_is_told_by_its_place_in_the_spec() -> None:
    change = FieldChange(
        ("spec", "driver", "enabled"), False, True, "lost override", value_path="driver.enabled"
    )
    label = FieldChange(("metadata", "labels", "a"), "x", "y", "chart")
    (told,) = gpu(facts(policy({"driver": {"enabled": False}}, {}, change, label))).changes
    assert (told.field, told.before, told.after, told.value, told.cause) == (
        "driver.enabled",
        False,
        True,
        "driver.enabled",
        "lost override",
    )


def test_pods_that_use_gpus() -> None:
    def pod(namespace: str, name: str, **spec: Any) -> dict[str, Any]:
        metadata = {"namespace": namespace, "name": name}
        return {"metadata": metadata, "spec": spec, "status": {"phase": "Running"}}

    asks = [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "1", "cpu": "1"}}}]
    release = replace(facts().release, namespace="gpu-operator")
    found = gpu(
        replace(facts(policy({}, {})), release=release),
        allPods=[
            pod("shop", "train", containers=asks, nodeName="gpu-a"),
            pod("shop", "class", runtimeClassName="nvidia"),
            pod("shop", "web", containers=[{"name": "c"}]),
            pod("gpu-operator", "validator", initContainers=asks),
        ],
    )
    assert found.pods is not UNKNOWN
    assert [(one.ref, one.resources, one.runtime_class, one.operand) for one in found.pods] == [
        ("shop/train", ("nvidia.com/gpu",), "", False),
        ("shop/class", (), "nvidia", False),
        ("gpu-operator/validator", ("nvidia.com/gpu",), "", True),
    ]


@pytest.mark.parametrize(("action", "stays"), [("unchanged", True), ("keep", True), ("delete", False)])
def test_a_discovery_that_the_new_manifest_lacks(action: str, stays: bool) -> None:
    """Where the templates cannot be rendered there is no new manifest, and nothing goes."""
    there = running("DaemonSet", "gpu-operator-node-feature-discovery-worker", {})
    gone = replace(there.prediction, action=action, new=None)  # type: ignore[arg-type]
    found = gpu_of(facts(policy({}, {}), replace(there, prediction=gone)))
    assert (found.discovery_before, found.discovery_after) == (True, stays)


def test_another_discovery_is_not_the_releases_own() -> None:
    worker = {
        "template": {
            "spec": {"containers": [{"image": "registry.example.com/nfd/node-feature-discovery:v0.18"}]}
        }
    }
    own = running("DaemonSet", "gpu-operator-worker", worker)
    other = {"metadata": {"namespace": "nfd", "name": "worker"}, "spec": worker}
    mine = {"metadata": {"namespace": "gpu-operator", "name": "gpu-operator-worker"}, "spec": worker}
    found = gpu(facts(own), allDaemonSets=[other, mine])
    assert found.foreign_discoveries is not UNKNOWN
    assert [one.ref for one in found.foreign_discoveries] == ["nfd/worker"]
    assert (found.discovery_before, found.discovery_after) == (True, True)


def test_a_runtime_that_is_not_configured_is_told_for_pods_that_still_wait() -> None:
    def event(name: str, message: str) -> dict[str, Any]:
        return {"involvedObject": {"name": name}, "message": message}

    def pod(name: str, phase: str) -> dict[str, Any]:
        return {"metadata": {"name": name}, "status": {"phase": phase}, "spec": {}}

    said = 'failed to get sandbox runtime: no runtime for "nvidia" is configured'
    found = gpu(
        facts(policy({}, {})),
        events=[event("waits", said), event("runs", said), event("other", "pulling image")],
        pods=[pod("waits", "Pending"), pod("runs", "Running"), pod("other", "Pending")],
    )
    assert found.sandbox_failures == (f"waits: {said}",)


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ([{"key": "gpu"}, {"key": "nvidia.com/gpu"}], [{"key": "nvidia.com/gpu"}], ("gpu",)),
        ([{"key": "gpu"}], [{"operator": "Exists"}], ()),
        ([{"key": "gpu"}], [{"key": "gpu"}, {"key": "more"}], ()),
        ([], [{"key": "gpu"}], ()),
    ],
)
def test_tolerations_that_are_lost(before: Any, after: Any, lost: tuple[str, ...]) -> None:
    found = gpu(
        facts(policy({"daemonsets": {"tolerations": before}}, {"daemonsets": {"tolerations": after}}))
    )
    assert found.lost_tolerations == lost


@pytest.mark.parametrize(
    ("old", "new", "skipped"),
    [
        ("v24.9.2", "v26.7.0", ("25.3", "25.10", "26.3")),
        ("v26.3.2", "v26.3.3", ()),
        ("v26.3.3", "v26.7.0", ()),
        ("v26.7.0", "v25.3.4", ()),
        ("v26.3.3", "v99.1.0", ()),
    ],
)
def test_release_lines_between_two_charts(old: str, new: str, skipped: tuple[str, ...]) -> None:
    charts = {"chart": ChartRef("gpu-operator", old), "new_chart": ChartRef("gpu-operator", new)}
    assert gpu(replace(facts(), release=replace(facts().release, **charts))).skipped_lines == skipped


def test_without_the_cluster_the_manifests_tell_what_the_policy_becomes() -> None:
    seen = policy({"driver": {"enabled": True}}, {"driver": {"enabled": False}})
    unread = replace(seen, prediction=replace(seen.prediction, live=Unreadable("no right"), predicted=None))
    found = gpu(facts(unread))
    assert (found.before, found.after) == ({"driver": {"enabled": True}}, {"driver": {"enabled": False}})
    gone = policy({"driver": {"enabled": True}}, None)
    unread = replace(gone, prediction=replace(gone.prediction, live=Unreadable("no right")))
    assert gpu(facts(unread)).deleted
    assert not gpu(facts(replace(unread, prediction=replace(unread.prediction, action="keep")))).deleted
