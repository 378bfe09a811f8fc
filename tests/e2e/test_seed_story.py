"""The story that started helmguard: one ``--set`` turns a GPU driver back on. The plan, then the truth."""

from __future__ import annotations

import shlex
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.operators_chart import alone_with_the_operator
from helmguard_program import CHARTS, Helmguard
from live_state import JSON, differences, program_for

CHART = CHARTS / "gpu-operator"
OVERRIDES = [
    *("--set", "driver.enabled=false"),
    *("--set", "toolkit.enabled=false"),
    *("--set", "devicePlugin.enabled=true"),
    *("--set", "dcgmExporter.enabled=true"),
    *("--set", "nfd.enabled=true"),
]
POLICY = "/apis/nvidia.com/v1/clusterpolicies/cluster-policy"
NODE = {
    "metadata": {"name": "gpu-a", "labels": {"kubernetes.io/hostname": "gpu-a"}},
    "status": {
        "capacity": {"cpu": "32", "memory": "64Gi", "pods": "110"},
        "allocatable": {"cpu": "32", "memory": "64Gi", "pods": "110"},
    },
}


@dataclass(frozen=True)
class Story:
    """The release gpu-operator as its user installed it."""

    helm: Helm
    helmguard: Helmguard
    cluster: ControlPlane

    def plan(self, *words: str) -> JSON:
        return self.helmguard.plan("gpu-operator", CHART, *words)

    def policy(self) -> JSON:
        """The spec of the live ClusterPolicy."""
        spec: JSON = self.cluster.get(POLICY)["spec"]
        return spec

    def upgrade(self, *words: str) -> None:
        self.helm.run("upgrade", "gpu-operator", CHART, *words)


@pytest.fixture(scope="module", params=["helm3", "helm4"], ids=["h3", "h4"])
def story(
    request: pytest.FixtureRequest,
    rollout_control_plane: ControlPlane,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Story]:
    """Installed with the five flags."""
    binary: Path = request.getfixturevalue(request.param)
    cluster, namespace = rollout_control_plane, f"gpu-{uuid.uuid4().hex[:8]}"
    helm = Helm(binary, tmp_path_factory.mktemp("helm-home"), cluster.kubeconfig, namespace)
    with alone_with_the_operator(cluster):
        # Where the pre-upgrade hook's pod can run.
        if cluster.find("/api/v1/nodes/gpu-a") is None:
            cluster.create("/api/v1/nodes", NODE)
        helm.run("install", "gpu-operator", CHART, "--create-namespace", *OVERRIDES)
        yield Story(helm, program_for(helm), cluster)
        helm.run("uninstall", "gpu-operator")
        cluster.remove(f"/api/v1/namespaces/{namespace}")


def findings(plan: JSON, *severities: str) -> list[tuple[str, str, str]]:
    return [
        (each["rule"], each["severity"], each["where"]["name"])
        for each in plan["findings"]
        if each["severity"] in severities
    ]


def changed(plan: JSON) -> list[tuple[str, str, object, object, str]]:
    """Object, field, before, after and cause of each field change that is more than a version label."""
    return [
        (f"{resource['kind']}/{resource['name']}", each["path"], each["before"], each["after"], each["cause"])
        for resource in plan["resources"]
        for each in resource["changes"]
        if not each["bookkeeping"] and each["before"] != each["after"]
    ]


def test_one_set_loses_the_driver_override_and_the_plan_refuses(story: Story) -> None:
    plan = story.plan("--set", "toolkit.enabled=true")
    assert plan["exitCode"] == 3
    assert findings(plan, "blocker", "danger") == [
        ("values-lost-override", "blocker", "driver.enabled"),
        ("gpu-driver-turned-on", "danger", "ClusterPolicy/cluster-policy"),
    ]
    finding = plan["findings"][0]
    assert (finding["before"], finding["after"]) == (False, True)
    assert finding["effects"] == ["ClusterPolicy/cluster-policy spec.driver.enabled"]
    assert "revision 1" in finding["consequence"]
    assert finding["remedy"] == [plan["keepCommand"]]
    assert changed(plan) == [
        ("ClusterPolicy/cluster-policy", "spec.driver.enabled", False, True, "lost override"),
        ("ClusterPolicy/cluster-policy", "spec.toolkit.enabled", False, True, "values"),
    ]
    dropped = [each for each in plan["values"]["warnings"] if "without effect" in each["kind"]]
    assert {each["path"] for each in dropped} == {
        *("devicePlugin.enabled", "dcgmExporter.enabled", "nfd.enabled")
    }
    assert plan["failure"] is None
    assert plan["unknown"] == []


def test_the_page_says_it_first(story: Story) -> None:
    ended = story.helmguard.run("plan", "gpu-operator", CHART, "--set", "toolkit.enabled=true").expect(3)
    lines = [line for line in ended.out.splitlines() if line]
    assert lines[0].startswith("gpu-operator · namespace gpu-")
    assert "revision 1 → 2 · chart gpu-operator v26.3.3 (same)" in lines[0]
    finding = next(line for line in lines if "BLOCKER" in line)
    assert finding.startswith("■ BLOCKER  driver.enabled  false → true")
    assert lines.index(finding) < 6
    assert ended.err == ""


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        (["--reuse-values"], "reuse"),
        (["--reset-then-reuse-values"], "reset-then-reuse"),
        ([], "none given: previous reused"),
    ],
    ids=["reuse", "reset-then-reuse", "no flags"],
)
def test_modes_that_keep_the_values_change_no_object(story: Story, words: list[str], mode: str) -> None:
    plan = story.plan(*words)
    assert plan["exitCode"] == 2
    assert plan["hooks"] != []
    assert plan["values"]["mode"] == mode
    assert findings(plan, "blocker", "danger", "warning") == []
    assert changed(plan) == []


@pytest.fixture
def gpu_node(story: Story) -> Iterator[str]:
    """A node with a GPU and its own driver, and on it a pod that uses the GPU; its name."""
    name = f"gpu-{uuid.uuid4().hex[:8]}"
    amounts = {"cpu": "32", "memory": "64Gi", "pods": "110", "nvidia.com/gpu": "1"}
    labels = {
        "kubernetes.io/hostname": name,
        "nvidia.com/gpu.present": "true",
        "nvidia.com/cuda.driver-version.full": "570.195.03",
    }
    node = {
        "metadata": {"name": name, "labels": labels},
        "status": {"capacity": amounts, "allocatable": amounts},
    }
    limits = {"nvidia.com/gpu": "1"}
    container = {"name": "train", "image": "train:1", "resources": {"limits": limits}}
    pod = {"metadata": {"name": name}, "spec": {"nodeName": name, "containers": [container]}}
    pods = "/api/v1/namespaces/default/pods"
    story.cluster.create("/api/v1/nodes", node)
    try:
        story.cluster.create(pods, pod)
        story.cluster.wait_for(f"{pods}/{name}", lambda found: _phase(found) == "Running")
        yield name
    finally:
        story.cluster.remove(f"{pods}/{name}")
        story.cluster.remove(f"/api/v1/nodes/{name}")


def _phase(pod: JSON | None) -> str:
    return str(((pod or {}).get("status") or {}).get("phase"))


@pytest.mark.parametrize(
    ("label", "severity"), [("true", "blocker"), (None, "danger"), ("pre-installed", "warning")]
)
def test_how_grave_a_driver_is_depends_on_the_nodes(
    story: Story, gpu_node: str, label: str | None, severity: str
) -> None:
    labels = {"nvidia.com/gpu.deploy.driver": label}
    story.cluster.patch(f"/api/v1/nodes/{gpu_node}", {"metadata": {"labels": labels}})
    plan = story.plan("--set", "toolkit.enabled=true")
    (found,) = [one for one in plan["findings"] if one["rule"] == "gpu-driver-turned-on"]
    assert (found["severity"], found["result"], found["missing"]) == (severity, "fires", [])
    assert any(
        effect.startswith(f"node {gpu_node}: 1 GPU, driver 570.195.03 now") for effect in found["effects"]
    )


def test_the_truth(story: Story) -> None:
    """Each command is planned, then run; the objects must be those of the plan."""
    lossy = story.plan("--set", "toolkit.enabled=true")
    keep = shlex.split(lossy["keepCommand"])
    assert keep[:3] == ["helm", "upgrade", "gpu-operator"]
    assert "--reuse-values" in keep
    foretold = story.helmguard.plan(*keep[2:])
    assert foretold["exitCode"] == 2
    # The command as printed, hooks and all.
    story.helm.run(*keep[1:])
    assert (story.policy()["driver"]["enabled"], story.policy()["toolkit"]["enabled"]) == (False, True)
    assert differences(story.cluster, foretold) == []

    for words in (["--reuse-values"], ["--reset-then-reuse-values"], [], ["--reset-values"]):
        foretold = story.plan(*words, "--no-hooks")
        assert foretold["summary"]["valuesLost"] == (1 if words == ["--reset-values"] else 0)
        story.upgrade(*words, "--no-hooks")
        assert differences(story.cluster, foretold) == [], words
    assert story.policy()["driver"]["enabled"] is True

    story.upgrade("--no-hooks", *OVERRIDES)
    foretold = story.plan("--set", "toolkit.enabled=true", "--no-hooks")
    assert foretold["exitCode"] == 3
    story.upgrade("--set", "toolkit.enabled=true", "--no-hooks")
    assert differences(story.cluster, foretold) == []
    assert story.policy()["driver"]["enabled"] is True
