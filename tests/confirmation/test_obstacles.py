"""Writes that a dry run cannot foretell keep our own prediction, and say why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import Helmguard
from situations import CONF, HOOK, WEB, manifest, write_release_chart

JSON = dict[str, Any]

ROLE = """
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: role}
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: binding}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: role}
subjects: [{kind: User, name: somebody, apiGroup: rbac.authorization.k8s.io}]
"""
QUOTA = """
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: quota}
spec: {hard: {count/configmaps: "100"}}
"""


def _why(plan: JSON) -> dict[str, tuple[str, str]]:
    return {entry["name"]: (entry["confirmed"], entry.get("confirmedWhy", "")) for entry in plan["resources"]}


def test_a_namespace_that_comes_with_the_release(
    helmguard: Helmguard, namespace: str, tmp_path: Path
) -> None:
    chart = write_release_chart(tmp_path / "chart", manifest(CONF, colour="blue"))
    words = ["--install", "--create-namespace", "-n", f"{namespace}-new"]
    why = _why(helmguard.plan("demo", chart, *words))
    assert why[f"{namespace}-new"] == ("server", "")
    assert why["conf"] == ("local", "its namespace is written before by this operation")


def test_a_quota_and_a_duplicate(helmguard: Helmguard, tmp_path: Path) -> None:
    documents = manifest(QUOTA, "---", CONF, "---", CONF.replace("COLOUR", "red"), colour="blue")
    chart = write_release_chart(tmp_path / "chart", documents)
    why = _why(helmguard.plan("demo", chart, "--install"))
    assert why["quota"] == ("server", "")
    assert why["conf"][0] == "local"


def test_a_hook_that_takes_the_place_of_the_last_one(
    helm: Helm, helmguard: Helmguard, tmp_path: Path
) -> None:
    chart = write_release_chart(tmp_path / "chart", manifest(CONF, HOOK, colour="blue"))
    helm.run("install", "demo", chart)
    assert _why(helmguard.plan("demo", chart))["hook"] == ("server", "")
    helm.run("upgrade", "demo", chart)
    why = _why(helmguard.plan("demo", chart))
    assert why["hook"] == ("local", "this operation changes or deletes it before")


@pytest.mark.parametrize("mode", ["auto", "always"])
def test_owners_that_are_rewritten_first(
    mode: str, helm3: Path, helm: Helm, helmguard: Helmguard, tmp_path: Path
) -> None:
    if "helm3" in str(helm.binary):
        pytest.skip("Helm 3 has no server-side apply")
    chart = write_release_chart(tmp_path / "chart", manifest(CONF, colour="blue"))
    Helm(helm3, helm.home, helm.kubeconfig, helm.namespace).run("install", "demo", chart)
    plan = helmguard.plan("demo", chart, "--server-side=true", f"--server-dry-run={mode}")
    assert "managedFields" in _why(plan)["conf"][1]
    listed = [entry["what"] for entry in plan["unknown"]]
    assert listed == (["ConfigMap/conf"] if mode == "always" else [])


def test_a_role_that_its_binding_needs(
    helmguard: Helmguard, control_plane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    """An admin may bind a role that is not there yet; the answer counts as it comes."""
    chart = write_release_chart(tmp_path / "chart", manifest(ROLE, WEB, tag="1"))
    why = _why(helmguard.plan("demo", chart, "--install"))
    assert {confirmed for confirmed, _ in why.values()} == {"server"}
    assert control_plane.items(f"/apis/apps/v1/namespaces/{namespace}/deployments") == []


def test_of_many_writes_those_that_change_something_are_asked(
    helm: Helm, helmguard: Helmguard, tmp_path: Path
) -> None:
    many = "".join(CONF.replace("conf", f"conf-{number}") + "---" for number in range(101))
    old = write_release_chart(tmp_path / "old", manifest(many, CONF, colour="blue"))
    new = write_release_chart(tmp_path / "new", manifest(many.replace("COLOUR", "blue"), CONF, colour="red"))
    helm.run("install", "demo", old)
    plan = helmguard.plan("demo", new)
    assert plan["serverDryRun"]["asked"] == 1
    assert {entry["name"]: entry["confirmed"] for entry in plan["resources"]}["conf"] == "server"
    everything = helmguard.plan("demo", new, "--server-dry-run=always")
    # Helm 3 sends nothing for what its patch leaves as it is.
    assert everything["serverDryRun"]["asked"] == (1 if "helm3" in str(helm.binary) else 102)
    assert everything["unknown"] == []
