"""The first install with the toolkit off, foretold: what the nodes tell, and what was collected on them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from controlplane.audited_user import make_audited_user
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.operators_chart import alone_with_the_operator
from helmguard_program import CHARTS, CHECKOUT, Ended, Helmguard
from live_state import JSON, program_for

CHART = CHARTS / "gpu-operator"
NODES = CHECKOUT / "fixtures" / "nodes"
OFF = ("--set", "driver.enabled=false", "--set", "toolkit.enabled=false")
ABOUT = ("ctrd-", "gpu-toolkit-", "gpu-layer-", "gpu-stuck", "pods-stuck")


@dataclass(frozen=True)
class Fleet:
    """Two GPU nodes of a cluster without the operator."""

    helmguard: Helmguard
    cluster: ControlPlane
    nodes: tuple[str, str]

    def plan(self, *words: str | Path, facts: Path | None = None) -> JSON:
        """The plan of a first install, or of what ``words`` say more."""
        given = ("--node-facts", facts) if facts is not None else ()
        return self.helmguard.plan("gpu-operator", CHART, "--install", *OFF, *given, *words)

    def collected(self, folder: Path, *roots: str) -> Path:
        """A folder with an archive for each node, collected from a root of fixtures/nodes."""
        folder.mkdir(exist_ok=True)
        for name, root in zip(self.nodes, roots, strict=False):
            archive = folder / f"{name}.tar.gz"
            words = ("node", "collect", "--root", NODES / root, "--name", name, "-o", archive)
            self.helmguard.run(*words).expect(0)
        return folder

    def report(self, *handlers: tuple[str, ...]) -> None:
        """What each node says of its runtime's handlers."""
        for name, listed in zip(self.nodes, handlers, strict=True):
            told = [{"name": each} for each in listed]
            self.cluster.patch(f"/api/v1/nodes/{name}/status", {"status": {"runtimeHandlers": told}})


@pytest.fixture(scope="module", params=["helm3", "helm4"], ids=["h3", "h4"])
def fleet(
    request: pytest.FixtureRequest,
    rollout_control_plane: ControlPlane,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Fleet]:
    cluster, namespace = rollout_control_plane, f"gpu-{uuid.uuid4().hex[:8]}"
    binary: Path = request.getfixturevalue(request.param)
    helm = Helm(binary, tmp_path_factory.mktemp("helm-home"), cluster.kubeconfig, namespace)
    nodes = (f"{namespace}-a", f"{namespace}-b")
    with alone_with_the_operator(cluster):
        cluster.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
        for name in nodes:
            cluster.create("/api/v1/nodes", _gpu_node(name, namespace))
        yield Fleet(program_for(helm), cluster, nodes)
        for name in nodes:
            cluster.remove(f"/api/v1/nodes/{name}")
        cluster.remove(f"/api/v1/namespaces/{namespace}")


def _gpu_node(name: str, pool: str) -> JSON:
    labels = {"kubernetes.io/hostname": name, "pool": pool, "nvidia.com/gpu.present": "true"}
    amounts = {"cpu": "32", "memory": "64Gi", "pods": "110"}
    status = {
        "capacity": amounts,
        "allocatable": amounts,
        "nodeInfo": {"containerRuntimeVersion": "containerd://2.1.4"},
    }
    return {"metadata": {"name": name, "labels": labels}, "status": status}


def told(plan: JSON) -> list[tuple[str, str, str]]:
    """Rule, severity and result of each finding about handlers that is more than a note."""
    return [
        (each["rule"], each["severity"], each["result"])
        for each in plan["findings"]
        if each["rule"].startswith(ABOUT) and each["severity"] != "info"
    ]


MISSING = ("ctrd-handler-missing", "blocker", "fires")


def test_nothing_is_known_of_the_nodes(fleet: Fleet) -> None:
    fleet.report((), ())
    plan = fleet.plan()
    assert told(plan) == [("gpu-toolkit-off-on-containerd", "danger", "fires")]
    assert plan["exitCode"] == 3


def test_the_nodes_say_that_they_do_not_have_the_handler(fleet: Fleet) -> None:
    fleet.report(("", "runc"), ("", "runc"))
    plan = fleet.plan()
    assert told(plan) == [MISSING]
    assert plan["exitCode"] == 3
    (found,) = [each for each in plan["findings"] if each["rule"] == "ctrd-handler-missing"]
    assert found["where"]["name"] == "RuntimeClass/nvidia"
    assert f"nodes {', '.join(fleet.nodes)}: only runc reported" in found["effects"]
    assert any("--set toolkit.enabled=true" in each for each in found["remedy"])
    assert told(fleet.plan("--set", "toolkit.enabled=true")) == []


def test_one_of_the_nodes_has_the_handler(fleet: Fleet) -> None:
    fleet.report(("", "runc", "nvidia"), ("", "runc"))
    assert told(fleet.plan()) == [("ctrd-handler-missing", "danger", "fires")]


def test_collected_facts_answer(fleet: Fleet, tmp_path: Path) -> None:
    fleet.report((), ())
    before = fleet.collected(tmp_path / "before", "seed-before", "seed-before")
    plan = fleet.plan(facts=before)
    assert told(plan) == [MISSING]
    after = fleet.collected(tmp_path / "after", "seed-after", "seed-after")
    plan = fleet.plan(facts=after)
    assert told(plan) == []
    mixed = fleet.collected(tmp_path / "mixed", "seed-after", "seed-before")
    assert told(fleet.plan(facts=mixed)) == [("ctrd-handler-missing", "danger", "fires")]


def test_the_files_have_it_and_containerd_was_not_restarted(fleet: Fleet, tmp_path: Path) -> None:
    fleet.report(("", "runc"), ("", "runc"))
    after = fleet.collected(tmp_path, "seed-after", "seed-after")
    found = told(fleet.plan(facts=after))
    assert [one for one in found if one[1] in ("blocker", "danger")] == [
        ("ctrd-not-restarted", "danger", "fires")
    ] * 2


def test_a_bundle_holds_the_facts(fleet: Fleet, tmp_path: Path) -> None:
    fleet.report((), ())
    facts = fleet.collected(tmp_path / "facts", "seed-before", "seed-before")
    bundle, words = tmp_path / "bundle", ("gpu-operator", CHART, "--install", *OFF)
    fleet.helmguard.run("bundle", *words, "--node-facts", facts, "-o", bundle).expect(0)
    assert (bundle / "node-facts.json").is_file()
    assert told(fleet.helmguard.plan("--bundle", bundle)) == told(fleet.plan(facts=facts))
    after = fleet.collected(tmp_path / "after", "seed-after", "seed-after")
    assert MISSING not in told(fleet.helmguard.plan("--bundle", bundle, "--node-facts", after))


def test_a_saved_plan_is_judged_with_the_same_facts(fleet: Fleet, tmp_path: Path) -> None:
    fleet.report((), ())
    facts = fleet.collected(tmp_path / "facts", "seed-before", "seed-before")
    saved = tmp_path / "install.hgplan"
    fleet.plan("--out", saved, facts=facts)
    refused: Ended = fleet.helmguard.run("apply", saved, "--yes", "-o", "json").expect(3)
    assert refused.json["stale"] == []
    assert MISSING in told(refused.json["plan"])


def test_a_plan_without_runtime_classes_asks_for_nothing_more(
    control_plane: ControlPlane, helm3: Path, tmp_path: Path, namespace: str
) -> None:
    user = make_audited_user(control_plane, tmp_path)
    program = Helmguard(tmp_path, helm3, user.kubeconfig, namespace)
    program.plan("web", CHARTS / "web", "--install", "--node-facts", NODES / "seed-before")
    asked = [request.uri for request in user.requests()]
    assert asked and not [uri for uri in asked if "runtimeclasses" in uri]
