"""Packs' steps against a real cluster: waiting, facts from before, and the pods of ``--test-pod``."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from controlplane.client import ApiError
from controlplane.operators_chart import alone_with_the_operator
from verify_trial import VerifyTrial

import helmguard
from helmguard.cluster.discovery import read_discovery
from helmguard.model.verification import Verification
from helmguard.planner.rule_folders import read_packs
from helmguard.rules.engine.rule import Pack
from helmguard.verify.baseline import Baseline, read_baseline
from helmguard.verify.verify_plan import verify_plan

OPERATOR = Path(__file__).parents[2] / "fixtures" / "charts" / "gpu-operator"
POLICIES = "/apis/nvidia.com/v1/clusterpolicies"
STARTED = "2026-11-30T00:00:00Z"
READS = """\
reads:
  settings: {apiVersion: v1, kind: ConfigMap, namespace: release, labelSelector: part=settings, before: true}
  nodes: {apiVersion: v1, kind: Node, labelSelector: for=NAMESPACE, keep: [metadata.name]}
steps:
"""
CHECKS = """\
- id: settings-stay
  what: the settings are those from before
  passes: objects.settings.all(s, before.settings[release.namespace + "/" + s.metadata.name].data == s.data)
  waits: "false"
  detail: ${listed(objects.settings.map(s, s.metadata.name))} changed
  onFail: kubectl -n ${release.namespace} get configmaps
- id: settings-done
  what: somebody has said that it is done
  timeoutSeconds: 20
  passes: objects.settings.exists(s, at(s, "data.done", "") == "yes")
- id: changes
  what: the plan changes something
  passes: plan.objects.exists(o, o.action == "create") && started != ""
"""
PODS = """\
- id: pods
  what: a pod runs to its end on each node
  timeoutSeconds: 3
  testPods:
    nodes: objects.nodes.map(n, n.metadata.name)
    spec: {containers: [{name: a, image: "probe:${release.revision}"}]}
  passes: testPods.all(p, p.phase == "Succeeded")
  detail: ${listed(testPods.map(p, p.node + " " + p.phase))}
"""


@pytest.fixture
def packs(on_helm_4: VerifyTrial, tmp_path: Path) -> list[Pack]:
    return _packs(READS + CHECKS + PODS, on_helm_4, tmp_path)


@pytest.fixture
def pods(on_helm_4: VerifyTrial, tmp_path: Path) -> list[Pack]:
    """Only the step with the pods."""
    return _packs(READS + PODS, on_helm_4, tmp_path)


def _packs(text: str, trial: VerifyTrial, folder: Path) -> list[Pack]:
    place = folder / "ours"
    place.mkdir()
    (place / "pack.yaml").write_text("{name: ours, version: 1.0.0, title: Our own, context: 1}\n")
    (place / "verification.yaml").write_text(text.replace("NAMESPACE", trial.namespace))
    return read_packs(place)


def states(verified: Verification) -> dict[str, str]:
    return {step.id: step.state for step in verified.steps}


def settings(trial: VerifyTrial, data: dict[str, str]) -> dict[str, Any]:
    body = {"metadata": {"name": "s", "labels": {"part": "settings"}}, "data": data}
    return trial.cluster.create(trial.at("configmaps"), body)


def test_before_and_after(on_helm_4: VerifyTrial, packs: list[Pack]) -> None:
    trial = on_helm_4
    settings(trial, {"a": "1"})
    plan = trial.plan(chart := trial.chart())
    read = read_baseline(trial.connection, read_discovery(trial.connection), plan=plan, packs=packs)
    baseline = msgspec.json.decode(msgspec.json.encode(read), type=Baseline)
    assert list(baseline.lists) == ["ours"]
    trial.helm.run("upgrade", "--install", "rel", chart)
    trial.cluster.patch(trial.at("configmaps", "s"), {"data": {"done": "yes"}})
    verified = trial.verify(plan, packs=packs, baseline=baseline, started=STARTED)
    assert states(verified) == {
        "settings-stay": "failed",
        "settings-done": "passed",
        "changes": "passed",
        "pods": "skipped",
    }
    assert verified.steps[0].why == "s changed"
    assert verified.steps[0].on_fail == f"kubectl -n {trial.namespace} get configmaps"
    assert not verified.ok
    assert states(trial.verify(plan, 0.0, packs=packs))["settings-stay"] == "skipped"


def test_a_step_is_waited_for(on_helm_4: VerifyTrial, packs: list[Pack]) -> None:
    trial = on_helm_4
    settings(trial, {"a": "1"})
    plan = trial.upgrade(trial.chart())
    assert states(trial.verify(plan, 0.0, packs=packs))["settings-done"] == "waiting"

    def finish(line: str) -> None:
        if line.startswith("waiting: somebody"):
            trial.cluster.patch(trial.at("configmaps", "s"), {"data": {"done": "yes"}})

    verified = trial.verify(plan, 20.0, packs=packs, started=STARTED, progress=finish)
    assert states(verified)["settings-done"] == "passed"


def test_test_pods_are_always_removed(on_helm_4: VerifyTrial, pods: list[Pack]) -> None:
    """kwok runs a pod for ever, so the first time is too short; the second time a hand ends it well."""
    trial = on_helm_4
    plan = trial.upgrade(trial.chart(), "--set", "replicas=0")
    seen: list[dict[str, Any]] = []

    def look(line: str) -> None:
        if line.startswith("pod helmguard-test-"):
            seen.extend(_test_pods(trial))

    verified = trial.verify(plan, 20.0, packs=pods, test_pod=True, progress=look)
    (step,) = [each for each in verified.steps if each.id == "pods"]
    assert (step.state, step.why) == ("failed", f"{trial.node} Running")
    assert seen[0]["spec"]["containers"][0]["image"] == "probe:1"
    assert seen[-1]["spec"]["nodeName"] == trial.node
    assert _none_stay(trial)

    finish = threading.Thread(target=_end_well, args=(trial,), daemon=True)
    finish.start()
    verified = trial.verify(plan, 20.0, packs=pods, test_pod=True)
    assert states(verified)["pods"] == "passed"
    finish.join()
    assert _none_stay(trial)


def test_interrupted_test_pods_are_removed(on_helm_4: VerifyTrial, pods: list[Pack]) -> None:
    trial = on_helm_4
    plan = trial.upgrade(trial.chart(), "--set", "replicas=0")

    def interrupt(line: str) -> None:
        if line.startswith("pod helmguard-test-"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trial.verify(plan, 20.0, packs=pods, test_pod=True, progress=interrupt)
    assert _none_stay(trial)


def _test_pods(trial: VerifyTrial) -> list[dict[str, Any]]:
    return [
        pod for pod in trial.cluster.items(trial.at("pods")) if pod["metadata"]["name"].startswith("helmg")
    ]


def _none_stay(trial: VerifyTrial) -> bool:
    """Whether all are gone, or going."""
    return all(pod["metadata"].get("deletionTimestamp") for pod in _test_pods(trial))


def _end_well(trial: VerifyTrial) -> None:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        for pod in _test_pods(trial):
            if pod["metadata"].get("deletionTimestamp") or pod["status"].get("phase") != "Running":
                continue
            path = f"{trial.at('pods', pod['metadata']['name'])}/status"
            try:
                trial.cluster.patch(path, {"status": {"phase": "Succeeded"}})
            except ApiError:
                continue
            return


def test_the_operators_chart(on_helm_4: VerifyTrial) -> None:
    """The real chart, no operator behind it: what depends on one is waited for until a hand plays it."""
    trial = on_helm_4
    words = ["--set", "driver.enabled=false,nfd.enabled=false,operator.upgradeCRD=false", "--no-hooks"]
    cluster_words = trial.words()
    with alone_with_the_operator(trial.cluster):
        plan = helmguard.plan("gpu", str(OPERATOR), [*words, "--install", *cluster_words])
        trial.helm.run("upgrade", "--install", "gpu", OPERATOR, *words)
        try:
            baseline = read_baseline(trial.connection, read_discovery(trial.connection), plan=plan)
            verified = verify_plan(plan, trial.connection, baseline=baseline, timeout=0.0)
            assert [str(item.key) for item in verified.differences] == []
            found = states(verified)
            assert found["policy-ready"] == "waiting"
            assert found["gpus-not-fewer"] == found["nodes-schedulable"] == "passed"
            status = {"status": {"state": "ready", "namespace": trial.namespace}}
            trial.cluster.patch(f"{POLICIES}/cluster-policy/status", status)
            verified = verify_plan(plan, trial.connection, baseline=baseline, timeout=0.0)
            assert states(verified)["policy-ready"] == "passed"
            assert [str(item.key) for item in verified.differences] == []
        finally:
            trial.helm.run("uninstall", "gpu", "--no-hooks")
