"""The GPU Operator pack's steps, by facts: when each passes, waits, fails, or has nothing to say."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest

from helmguard.model.verification import VerificationStep
from helmguard.verify.baseline import Baseline
from helmguard.verify.step_packs import StepPack, packs_for
from helmguard.verify.step_reading import StepFacts
from helmguard.verify.steps import StepInputs, judge_step

JSON = dict[str, Any]
RELEASE = {
    "name": "gpu",
    "namespace": "gpu",
    "revision": 2,
    "chart": "gpu-operator",
    "chartVersion": "v26.3.3",
    "appVersion": "v26.3.3",
    "config": {},
}
READY = [{"type": "Ready", "status": "True"}]
DEPLOY = "nvidia.com/gpu.deploy."
DRIVER = "nvidia.com/cuda.driver-version.full"


def node(name: str, gpus: str = "4", *, driver: str = "570.195.03", **spec: Any) -> JSON:
    amounts = {"cpu": "8", "nvidia.com/gpu": gpus}
    labels = {
        "nvidia.com/gpu.present": "true",
        f"{DEPLOY}device-plugin": "true",
        f"{DEPLOY}operator-validator": "true",
        DRIVER: driver,
    }
    status = {"capacity": amounts, "allocatable": amounts, "conditions": READY}
    return {"metadata": {"name": name, "labels": labels}, "spec": spec, "status": status}


OPERANDS = (
    "nvidia-device-plugin-daemonset",
    "nvidia-container-toolkit-daemonset",
    "nvidia-dcgm-exporter",
    "gpu-feature-discovery",
)


def daemon_set(desired: int, ready: int, updated: int = -1, name: str = OPERANDS[0]) -> JSON:
    status = {
        "observedGeneration": 1,
        "desiredNumberScheduled": desired,
        "numberReady": ready,
        "updatedNumberScheduled": desired if updated < 0 else updated,
    }
    containers = [{"name": "main", "image": f"{name}:v1"}]
    template = {"spec": {"nodeSelector": {f"{DEPLOY}device-plugin": "true"}, "containers": containers}}
    return {
        "metadata": {"name": name, "generation": 1},
        "spec": {"template": template},
        "status": status,
    }


def operator(available: bool = True, image: str = "gpu-operator:v26.3.3") -> JSON:
    conditions = [{"type": "Available", "status": str(available)}]
    return {
        "metadata": {"name": "gpu-operator", "generation": 1},
        "spec": {"replicas": 1, "template": {"spec": {"containers": [{"image": image}]}}},
        "status": {"observedGeneration": 1, "updatedReplicas": 1, "conditions": conditions},
    }


def policy(state: str = "ready", **spec: Any) -> JSON:
    return {"metadata": {"name": "cluster-policy"}, "spec": spec, "status": {"state": state}}


def named(name: str) -> JSON:
    return {"metadata": {"name": name}}


def validator(ready: str = "True") -> JSON:
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": ready}]}
    return {"metadata": {"name": "v", "labels": {"app": "nvidia-operator-validator"}}, "status": status}


WELL: dict[str, list[JSON]] = {
    "deployments": [operator()],
    "policies": [policy(driver={"enabled": False})],
    "daemonSets": [daemon_set(2, 2, name=name) for name in OPERANDS],
    "runtimeClasses": [named("nvidia")],
    "sandboxEvents": [],
    "pendingPods": [],
    "pods": [],
    "validators": [validator(), validator()],
    "nodes": [node("a"), node("b")],
}


@cache
def gpu_pack() -> StepPack:
    (pack,) = [pack for pack in packs_for(RELEASE, ()) if pack.name == "gpu-operator"]
    return pack


def judged(
    step: str, *, before: list[JSON] | None = None, started: str = "", unread: str = "", **lists: Any
) -> VerificationStep:
    facts = {**WELL, **lists}
    # A list of its own, as a read of its own gives it.
    facts["gpuNodes"] = [{"metadata": {"labels": each["metadata"]["labels"]}} for each in facts["nodes"]]
    baseline = Baseline({"gpu-operator": {"nodes": before}}) if before is not None else None
    missing = {unread: "pods is forbidden"} if unread else {}
    found = {name: copy.deepcopy(items) for name, items in facts.items() if name != unread}
    (rule,) = [rule for rule in gpu_pack().verification.steps if rule.id == step]
    inputs = StepInputs(RELEASE, {}, baseline, started)
    return judge_step(gpu_pack(), rule, inputs, StepFacts(found, missing))


def test_all_is_well() -> None:
    for rule in gpu_pack().verification.steps:
        if rule.test_pods is None:
            assert judged(rule.id, before=WELL["nodes"]).state == "passed", rule.id


def test_another_chart_has_no_such_steps() -> None:
    assert "gpu-operator" not in [pack.name for pack in packs_for({**RELEASE, "chart": "web"}, ())]


GONE = {"message": 'no runtime for "nvidia" is configured', "involvedObject": {"uid": "p", "name": "train"}}
WAITING = {"metadata": {"name": "train", "uid": "p"}}


@pytest.mark.parametrize(
    ("step", "facts", "state", "why"),
    [
        ("operator-available", {"deployments": [operator(False)]}, "waiting", "gpu-operator: 0 of 1"),
        (
            "operator-available",
            {"deployments": [operator(image="gpu-operator:v1")]},
            "waiting",
            "gpu-operator:v1",
        ),
        ("operator-available", {"deployments": []}, "waiting", ""),
        ("policy-ready", {"policies": [policy("notReady")]}, "waiting", "cluster-policy is notReady"),
        ("policy-ready", {"policies": [{"metadata": {"name": "p"}}]}, "waiting", "p is without a state"),
        ("policy-ready", {"policies": []}, "skipped", ""),
        (
            "operands-ready",
            {"daemonSets": [daemon_set(2, 1)]},
            "waiting",
            "1 of 2 ready",
        ),
        ("operands-ready", {"daemonSets": [daemon_set(1, 1)]}, "waiting", "1 of 2 ready"),
        ("operands-ready", {"daemonSets": [daemon_set(2, 2, 1)]}, "waiting", "2 of 2 ready (1 new)"),
        (
            "runtime-classes",
            {"runtimeClasses": []},
            "waiting",
            "there is none; the policy asks",
        ),
        ("runtime-classes", {"policies": [policy(cdi={"enabled": True})]}, "waiting", "nvidia-cdi"),
        ("runtime-classes", {"policies": [policy(cdi={"nriPluginEnabled": True})]}, "skipped", ""),
        (
            "no-sandbox-failures",
            {"sandboxEvents": [GONE], "pendingPods": [WAITING]},
            "waiting",
            'train: no runtime for "nvidia"',
        ),
        ("no-sandbox-failures", {"sandboxEvents": [GONE], "pendingPods": []}, "passed", ""),
        ("validators", {"validators": [validator()]}, "waiting", "1 ready validator, 2 nodes to validate"),
        ("validators", {"validators": [validator(), validator("False")]}, "waiting", ""),
        ("gpus-not-fewer", {"nodes": [node("a", "3"), node("b")]}, "waiting", "a: 3 allocatable, before 4"),
        ("gpus-not-fewer", {"nodes": [node("a", "8"), node("b"), node("c", "1")]}, "passed", ""),
        ("gpus-not-fewer", {"nodes": [node("a")]}, "passed", ""),
        (
            "driver-unchanged",
            {"nodes": [node("a", driver="580")]},
            "waiting",
            "a: 580, before 570",
        ),
        ("driver-unchanged", {"policies": [policy(driver={"enabled": True})]}, "skipped", ""),
        (
            "nodes-schedulable",
            {"nodes": [node("a", unschedulable=True), node("b")]},
            "waiting",
            "a is cordoned",
        ),
    ],
)
def test_a_step(step: str, facts: dict[str, Any], state: str, why: str) -> None:
    found = judged(step, before=WELL["nodes"], **facts)
    assert (found.state, why in found.why) == (state, True), found.why


def test_events_from_before_helm_started_do_not_count() -> None:
    event = {**GONE, "lastTimestamp": "2026-11-30T01:00:00Z"}
    lists = {"sandboxEvents": [event], "pendingPods": [WAITING]}
    assert judged("no-sandbox-failures", started="2026-11-30T02:00:00Z", **lists).state == "passed"
    assert judged("no-sandbox-failures", started="2026-11-30T00:00:00Z", **lists).state == "waiting"
    assert judged("no-sandbox-failures", **lists).state == "waiting"


def test_a_cordoned_node_that_was_cordoned_before() -> None:
    cordoned = [node("a", unschedulable=True), node("b")]
    assert judged("nodes-schedulable", before=cordoned, nodes=cordoned).state == "passed"


def test_without_facts_from_before_there_is_nothing_to_compare_with() -> None:
    for step in ("gpus-not-fewer", "driver-unchanged", "nodes-schedulable"):
        found = judged(step)
        assert (found.state, "nothing to compare with" in found.why) == ("skipped", True)


def test_what_may_not_be_read_is_unknown() -> None:
    found = judged("operands-ready", unread="daemonSets")
    assert (found.state, found.why) == ("unknown", "pods is forbidden")
    assert found.on_fail == "kubectl -n gpu get daemonsets,pods -o wide"


def test_many_nodes_do_not_exhaust_the_loops() -> None:
    nodes = [node(f"n{number}") for number in range(500)]
    many = {
        "nodes": nodes,
        "daemonSets": [daemon_set(500, 500, name=name) for name in OPERANDS] * 4,
        "validators": [validator()] * 500,
    }
    for rule in gpu_pack().verification.steps:
        if rule.test_pods is None:
            assert judged(rule.id, before=nodes, **many).state == "passed", rule.id
