"""Releases in states that a plan must not pass over: pending, damaged, elsewhere, not there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import Helmguard
from live_state import differences
from release_records import damage, set_status
from which_helm import with_helm_3, with_helm_4

SHOP = Path(__file__).parent / "charts" / "shop"


@with_helm_3
def test_a_release_that_is_not_there(helm: Helm, helmguard: Helmguard) -> None:
    helm.run("install", "storefront", SHOP)
    near = helmguard.run("plan", "store-front", SHOP)
    near.expect_error("release 'store-front' is not in namespace", "Did you mean storefront?", "--install")
    other = helmguard.run("plan", "storefront", SHOP, "-n", "kube-public")
    other.expect_error("is not in namespace 'kube-public'", helm.namespace, "give -n ")
    rollback = helmguard.run("plan", "nothing", "--rollback")
    rollback.expect_error("release 'nothing' is not in namespace")
    assert "--install" not in rollback.err
    helmguard.run("plan", "storefront", SHOP, "-n", "../x").expect_error("namespace name is invalid: '../x'")
    helmguard.run("plan", "Store_Front", SHOP).expect_error("release name is invalid: Store_Front")


def test_a_fresh_install(helm: Helm, helmguard: Helmguard, control_plane: ControlPlane) -> None:
    words = ["shop", SHOP, "--install", "--set", "replicas=2"]
    plan = helmguard.plan(*words)
    assert plan["exitCode"] == 2
    assert (plan["operation"], plan["release"]["toRevision"]) == ("install", 1)
    assert plan["unknown"] == []
    created = {resource["kind"] for resource in plan["resources"] if resource["action"] == "create"}
    assert {"ConfigMap", "Secret", "Deployment", "Widget"} <= created
    helm.run("upgrade", *words)
    assert differences(control_plane, plan) == []


def test_a_pending_release(helm: Helm, helmguard: Helmguard, control_plane: ControlPlane) -> None:
    helm.run("install", "shop", SHOP)
    helm.run("upgrade", "shop", SHOP, "--set", "replicas=2")
    set_status(control_plane, helm.namespace, "shop", 2, "pending-upgrade")
    ended = helmguard.run("plan", "shop", SHOP).expect(3)
    assert "WILL FAIL" in ended.out
    plan = helmguard.plan("shop", SHOP)
    assert plan["findings"][0]["rule"] == "release-pending"
    assert plan["failure"]["stage"] == "before"
    real = helm.run("upgrade", "shop", SHOP, check=False)
    assert plan["failure"]["message"] in real.stderr

    # The usual way out of it.
    rollback = helmguard.plan("shop", "--rollback", "1")
    done = helm.run("rollback", "shop", "1", check=False)
    assert (rollback["failure"] is None) is (done.returncode == 0), done.stderr
    assert differences(control_plane, rollback) == []


def test_a_damaged_record_is_named(helm: Helm, helmguard: Helmguard, control_plane: ControlPlane) -> None:
    helm.run("install", "shop", SHOP)
    helm.run("upgrade", "shop", SHOP, "--set", "replicas=2")
    damage(control_plane, helm.namespace, "shop", 1)
    plan = helmguard.plan("shop", SHOP)
    assert plan["exitCode"] == 0
    told = [finding["rule"] for finding in plan["findings"] if finding["severity"] != "info"]
    assert told == ["record-unreadable"]
    assert plan["release"]["damaged"][0].startswith("sh.helm.release.v1.shop.v1: ")
    assert helmguard.run("plan", "shop", SHOP, "--fail-on", "warning").expect(3).out

    damage(control_plane, helm.namespace, "shop", 2)
    plan = helmguard.plan("shop", SHOP)
    assert plan["exitCode"] == 3
    real = helm.run("upgrade", "shop", SHOP, check=False)
    assert plan["failure"]["message"] in real.stderr
    rollback = helmguard.run("plan", "shop", "--rollback")
    rollback.expect_error("no record of release 'shop' can be read", "sh.helm.release.v1.shop.v2", "backup")


@with_helm_4
def test_records_in_config_maps(helm: Helm, helmguard: Helmguard) -> None:
    words = ["shop", SHOP, "--set", "replicas=2"]
    driver = {"HELM_DRIVER": "configmap"}
    command = [helm.binary, "install", "shop", SHOP]
    subprocess.run(command, env=helm.environment() | driver, check=True, capture_output=True)
    ended = helmguard.run("plan", *words)
    ended.expect_error("release 'shop' is not in namespace", "set HELM_DRIVER=configmap")
    plan = helmguard.plan(*words, settings=driver)
    assert (plan["exitCode"], plan["release"]["fromRevision"]) == (2, 1)
    # The stored record is no object of the release, and a rendering by helm finds it, too.
    exact = helmguard.plan(*words, "--render", "dry-run", settings=driver)
    assert exact["engine"]["render"] == "dry-run-server"
    assert exact["resources"] == plan["resources"]


@pytest.mark.parametrize(
    ("driver", "message"),
    [("memory", "HELM_DRIVER is memory"), ("sqlite", "unknown HELM_DRIVER 'sqlite'")],
)
@with_helm_3
def test_records_that_are_nowhere(helmguard: Helmguard, driver: str, message: str) -> None:
    helmguard.run("plan", "shop", SHOP, settings={"HELM_DRIVER": driver}).expect_error(message, "secret")
