"""Rollbacks are planned, then run: the objects must be those of the plan."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import Helmguard
from live_state import JSON, differences

SHOP = Path(__file__).parent / "charts" / "shop"


@pytest.fixture
def shop(helm: Helm) -> Helm:
    """The release `shop` with three revisions; the last one is the first again, but for replicas."""
    helm.run("install", "shop", SHOP, "--set", "message=one,hooks=true")
    helm.run("upgrade", "shop", SHOP, "--set", "message=two,replicas=2,hooks=true")
    helm.run("upgrade", "shop", SHOP, "--set", "message=one,replicas=3,hooks=true")
    return helm


def changes(plan: JSON) -> dict[tuple[str, str], tuple[object, object, str]]:
    return {
        (resource["name"], each["path"]): (each["before"], each["after"], each["cause"])
        for resource in plan["resources"]
        for each in resource["changes"]
    }


def test_to_the_revision_before(shop: Helm, helmguard: Helmguard, control_plane: ControlPlane) -> None:
    plan = helmguard.plan("shop", "--rollback")
    assert plan["exitCode"] == 2
    assert (plan["operation"], plan["release"]["fromRevision"], plan["release"]["toRevision"]) == (
        "rollback",
        3,
        4,
    )
    assert changes(plan)["shop-settings", "data.message"] == ("one", "two", "values")
    assert changes(plan)["shop-web", "spec.replicas"] == (3, 2, "values")
    assert [hook["event"] for hook in plan["hooks"]] == ["pre-rollback"]
    assert helmguard.plan("shop", "--rollback", "0") == plan
    shop.run("rollback", "shop")
    assert differences(control_plane, plan) == []


def test_to_a_revision_with_drift(shop: Helm, helmguard: Helmguard, control_plane: ControlPlane) -> None:
    """Somebody scaled the Deployment and edited the settings: both Helms set back what the manifest names."""
    deployment = f"/apis/apps/v1/namespaces/{shop.namespace}/deployments/shop-web"
    settings = f"/api/v1/namespaces/{shop.namespace}/configmaps/shop-settings"
    control_plane.patch(settings, {"data": {"added": "by hand"}}, field_manager="kubectl-edit")
    control_plane.patch(deployment, {"metadata": {"labels": {"by": "hand"}}}, field_manager="kubectl-edit")
    plan = helmguard.plan("shop", "--rollback", "1")
    assert plan["exitCode"] == 2
    assert plan["summary"]["drift"] == 2
    drift = {
        (resource["name"], each["path"]): each["manager"]
        for resource in plan["resources"]
        for each in resource["drift"]
    }
    assert drift == {
        ("shop-settings", "data.added"): "kubectl-edit",
        ("shop-web", "metadata.labels.by"): "kubectl-edit",
    }
    shop.run("rollback", "shop", "1")
    assert differences(control_plane, plan) == []


def test_drift_on_a_field_of_the_manifest(
    shop: Helm, helmguard: Helmguard, control_plane: ControlPlane
) -> None:
    """Client-side Helm sets it back; server-side Helm meets the other field manager and fails."""
    settings = f"/api/v1/namespaces/{shop.namespace}/configmaps/shop-settings"
    control_plane.patch(settings, {"data": {"message": "by hand"}}, field_manager="kubectl-edit")
    plan = helmguard.plan("shop", "--rollback", "1")
    done = shop.run("rollback", "shop", "1", check=False)
    assert differences(control_plane, plan) == []
    if plan["engine"]["applyMethod"] == "csa":
        # What was set by hand is lost, and that is for somebody to decide.
        assert (plan["exitCode"], done.returncode) == (3, 0)
        (lost,) = [one for one in plan["findings"] if one["rule"] == "drift-reverted"]
        assert (lost["where"]["name"], lost["severity"]) == ("ConfigMap/shop-settings", "danger")
        assert changes(plan)["shop-settings", "data.message"] == ("by hand", "one", "drift reverted")
        return
    assert (plan["exitCode"], done.returncode) == (3, 1)
    assert plan["failure"]["message"] in done.stderr
    assert plan["findings"][0]["rule"] == "drift-conflict-ssa"
    assert plan["findings"][0]["remedy"] == ["add --force-conflicts to take the field over"]
    forced = helmguard.plan("shop", "--rollback", "1", "--force-conflicts")
    shop.run("rollback", "shop", "1", "--force-conflicts")
    assert differences(control_plane, forced) == []


def test_after_a_failed_revision(shop: Helm, helmguard: Helmguard, control_plane: ControlPlane) -> None:
    failed = shop.run("upgrade", "shop", SHOP, "--set", "replicas=-1", check=False)
    assert failed.returncode == 1
    upgrade = helmguard.plan("shop", SHOP, "--reuse-values")
    assert (upgrade["release"]["status"], upgrade["release"]["fromRevision"]) == ("failed", 3)
    assert "last-failed-partial" in [finding["rule"] for finding in upgrade["findings"]]
    plan = helmguard.plan("shop", "--rollback")
    assert (plan["release"]["status"], plan["release"]["toRevision"]) == ("failed", 5)
    shop.run("rollback", "shop")
    assert differences(control_plane, plan) == []


def test_a_revision_that_is_not_there(helm: Helm, helmguard: Helmguard) -> None:
    helm.run("install", "shop", SHOP)
    for words in (["--rollback", "9"], ["--rollback"]):
        plan = helmguard.plan("shop", *words)
        assert plan["exitCode"] == 3
        done = helm.run("rollback", "shop", *words[1:], check=False)
        assert done.returncode == 1
        assert plan["failure"]["message"] in done.stderr
