"""What somebody changed in the cluster: set back, left, or in the way of the next operation."""

from __future__ import annotations

from pathlib import Path

from field_case import FieldCase, actions, change, changed_paths, findings, resource, rules
from gadgets import Gadgets
from templates import config_map, deployment

WEB = deployment("web", replicas="{{ .Values.replicas }}", image="nginx:{{ .Values.tag }}")
WEB_AND_CONF = WEB + config_map("conf", a="{{ .Values.a }}")
VALUES = "replicas: 2\ntag: '1'\na: 1\n"


def test_p13_rollback_over_changes_by_hand(case: FieldCase) -> None:
    """The rollback of one ConfigMap line also takes back a scale-up and a hot fix, or is refused for them."""
    chart = case.chart(WEB_AND_CONF, VALUES)
    case.install(chart)
    case.upgrade(chart, "--set", "a=2")
    case.scale("web", 7)
    hot_fix = {"spec": {"template": {"spec": {"containers": [{"name": "web", "image": "nginx:hotfix"}]}}}}
    path = case.path("Deployment", "web")
    case.cluster.patch(path, hot_fix, kind="strategic", field_manager="kubectl-set")
    plan = case.rollback_as_planned("1")
    image = "spec.template.spec.containers[name=web].image"
    assert change(plan, "ConfigMap/conf", "data.a")[:2] == ("2", "1")
    if case.is_helm_4:
        assert plan["exitCode"] == 3
        assert "Apply failed with 2 conflicts" in plan["failure"]["message"]
        (finding,) = findings(plan, "drift-conflict-ssa")
        assert finding["where"]["name"].startswith("Deployment/web")
        forced = case.rollback_as_planned("1", "--force-conflicts")
        assert change(forced, "Deployment/web", "spec.replicas")[:2] == (7, 2)
        return
    assert change(plan, "Deployment/web", "spec.replicas") == (7, 2, "drift reverted")
    assert change(plan, "Deployment/web", image) == ("nginx:hotfix", "nginx:1", "drift reverted")


def test_p13_an_injected_container_survives_the_rollback(case: FieldCase) -> None:
    chart = case.chart(WEB_AND_CONF, VALUES)
    case.install(chart)
    case.upgrade(chart, "--set", "a=2")
    sidecar = {"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "side:1"}]}}}}
    path = case.path("Deployment", "web")
    case.cluster.patch(path, sidecar, kind="strategic", field_manager="kubectl-edit")
    plan = case.rollback_as_planned()
    kept = {entry["path"]: entry["manager"] for entry in resource(plan, "Deployment/web")["drift"]}
    assert any("side" in path for path in kept)
    assert set(kept.values()) == {"kubectl-edit"}


def test_p14_scaled_by_hand(case: FieldCase) -> None:
    """Client-side Helm scales back, server-side Helm refuses: both with an upgrade of something else."""
    chart = case.chart(WEB_AND_CONF, VALUES)
    case.install(chart)
    case.scale("web", 7)
    plan = case.upgrade_as_planned(chart, "--set", "a=2")
    if not case.is_helm_4:
        assert change(plan, "Deployment/web", "spec.replicas") == (7, 2, "drift reverted")
        return
    assert plan["exitCode"] == 3
    assert 'conflict with "kubectl" with subresource "scale"' in plan["failure"]["message"]
    assert [key["name"] for key in plan["failure"]["appliedBefore"]] == ["conf"]
    (finding,) = findings(plan, "drift-conflict-ssa")
    assert (finding["before"], finding["after"]) == (7, 2)
    forced = case.upgrade_as_planned(chart, "--set", "a=2", "--force-conflicts")
    assert change(forced, "Deployment/web", "spec.replicas")[:2] == (7, 2)


def test_p14_scaled_by_hand_and_applied_client_side(case: FieldCase, helm4: Path) -> None:
    """A release of Helm 3 in the hands of Helm 4, and Helm 4 told so: the scale-up is taken back."""
    chart = case.chart(WEB_AND_CONF, VALUES)
    case.install(chart)
    case.scale("web", 7)
    told = ["--server-side=false"] if case.is_helm_4 else []
    plan = case.with_helm(helm4).upgrade_as_planned(chart, "--set", "a=2", *told)
    assert plan["engine"]["applyMethod"] == "csa"
    assert plan["engine"]["why"]
    assert change(plan, "Deployment/web", "spec.replicas") == (7, 2, "drift reverted")


def test_p14b_scaled_there_and_back(case: FieldCase) -> None:
    """All values are equal, yet somebody else owns the field: the next change of it fails."""
    chart = case.chart(WEB_AND_CONF, VALUES)
    case.install(chart)
    for replicas in (3, 2):
        case.scale("web", replicas)
    plan = case.upgrade_as_planned(chart, "--set", "a=2")
    assert plan["failure"] is None
    assert actions(plan)["Deployment/web"] == "unchanged"
    latent = [entry["path"] for found in case.drift()["resources"] for entry in found["latent"]]
    assert latent == (["spec.replicas"] if case.is_helm_4 else [])
    plan = case.upgrade_as_planned(chart, "--set", "a=2,replicas=4")
    assert (plan["failure"] is not None) is case.is_helm_4
    if not case.is_helm_4:
        assert change(plan, "Deployment/web", "spec.replicas")[:2] == (2, 4)


def test_p15_custom_resource_changed_by_hand(case: FieldCase, gadgets: Gadgets) -> None:
    """Helm 3 patches custom resources from text to text: the change stays. Helm 4 refuses."""
    gadget = gadgets.gadget("g", mode="SAFE", size="{{ .Values.size }}")
    files = {"crds/gadget.yaml": gadgets.definition(mode="string", size="integer")}
    chart = case.chart(gadget, "size: 1\n", files=files)
    case.install(chart)
    path = gadgets.path(case.namespace, "g")
    case.cluster.patch(path, {"spec": {"mode": "DANGEROUS"}}, field_manager="kubectl-patch")
    plan = case.upgrade_as_planned(chart, "--set", "size=2")
    if case.is_helm_4:
        assert 'conflict with "kubectl-patch"' in plan["failure"]["message"]
        return
    assert change(plan, "Gadget/g", "spec.size")[:2] == (1, 2)
    (kept,) = resource(plan, "Gadget/g")["drift"]
    assert (kept["path"], kept["before"], kept["new"]) == ("spec.mode", "DANGEROUS", "SAFE")
    assert kept["cause"] == "drift kept"
    assert case.drift()["exitCode"] == 2


def test_p21b_deleted_by_hand(case: FieldCase) -> None:
    chart = case.chart(WEB_AND_CONF, VALUES)
    case.install(chart)
    case.cluster.delete(case.path("ConfigMap", "conf"))
    plan = case.upgrade_as_planned(chart)
    assert actions(plan) == {"ConfigMap/conf": "recreate", "Deployment/web": "unchanged"}
    assert plan["exitCode"] == 2


def test_c25_reverted_kept_or_conflict(case: FieldCase) -> None:
    """Per path: a label of the chart's is set back, one that nobody declared stays."""
    chart = case.chart(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, labels: {team: a}}\ndata: {x: '1'}\n"
    )
    case.install(chart)
    case.edit("ConfigMap", "conf", {"metadata": {"labels": {"team": "b", "mine": "yes"}}})
    plan = case.upgrade_as_planned(chart)
    if case.is_helm_4:
        assert "drift-conflict-ssa" in rules(plan)
        return
    assert change(plan, "ConfigMap/conf", "metadata.labels.team") == ("b", "a", "drift reverted")
    assert [entry["path"] for entry in resource(plan, "ConfigMap/conf")["drift"]] == ["metadata.labels.mine"]
    assert changed_paths(plan, "ConfigMap/conf") == ["metadata.labels.team"]
