"""A user who may read but not write is told so once; what may be asked is asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.permissions import grant
from helmguard_program import Helmguard
from situations import CONF, EXTRA, WEB, manifest, no_more_widgets, widgets, write_release_chart

from helmguard.cluster.connect import connect
from helmguard.cluster.dry_run_support import DryRunSupport
from helmguard.cluster.kube_options import KubeOptions
from helmguard.model.discovery import ServedKind
from helmguard.model.plan import NOT_ASKED

READ = [
    {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list"]},
    {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list"]},
    {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get", "list"]},
]
WRITE_CONF = {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["patch"], "resourceNames": ["conf"]}


@pytest.fixture
def chart(helm: Helm, tmp_path: Path) -> Path:
    """What is planned over an installed release ``demo``."""
    old = write_release_chart(tmp_path / "old", manifest(CONF, WEB, colour="blue", tag="1"))
    helm.run("install", "demo", old)
    return write_release_chart(tmp_path / "new", manifest(CONF, WEB, EXTRA, colour="green", tag="2"))


def test_without_rights_the_plan_is_our_own(
    helmguard: Helmguard, control_plane: ControlPlane, namespace: str, chart: Path
) -> None:
    limited = replace(helmguard, kubeconfig=grant(control_plane, namespace, READ).kubeconfig)
    plan = limited.plan("demo", chart)
    assert plan["failure"] is None
    assert {entry["confirmed"] for entry in plan["resources"]} == {"local"}
    report = plan["serverDryRun"]
    assert (report["asked"], report["answered"]) == (3, 0)
    assert 'User "limited" cannot' in report["why"]
    assert "(and 2 more)" in report["why"]
    page = " ".join(limited.run("plan", "demo", chart).expect(2).out.split())
    assert page.count("cannot patch resource") == 1
    told = limited.run("plan", "demo", chart, "--server-dry-run=always")
    told.expect_error("the API server refuses every dry run", "cannot")
    never = limited.plan("demo", chart, "--server-dry-run=never")
    assert never["serverDryRun"] == {"mode": "never", "asked": 0, "answered": 0, "why": NOT_ASKED}


def test_some_rights_confirm_some_objects(
    helmguard: Helmguard, control_plane: ControlPlane, namespace: str, chart: Path
) -> None:
    limited = replace(helmguard, kubeconfig=grant(control_plane, namespace, [WRITE_CONF, *READ]).kubeconfig)
    plan = limited.plan("demo", chart, "--server-dry-run=always")
    confirmed = {entry["name"]: entry["confirmed"] for entry in plan["resources"]}
    assert confirmed == {"conf": "server", "web": "local", "extra": "local"}
    unknown = {entry["what"]: entry["why"] for entry in plan["unknown"]}
    assert set(unknown) >= {"Deployment/web", "ConfigMap/extra"}
    assert "not confirmed by the API server" in unknown["Deployment/web"]


def test_a_bundle_has_no_server(helmguard: Helmguard, chart: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    helmguard.run("bundle", "demo", chart, "-o", bundle).expect(0)
    told = helmguard.run("plan", "--bundle", bundle, "--server-dry-run=always")
    told.expect_error("has no API server to ask")
    ended = helmguard.run("plan", "--bundle", bundle, "-o", "json")
    assert ended.json["serverDryRun"]["asked"] == 0


def test_a_kind_whose_definition_may_not_be_read(
    helm: Helm, control_plane: ControlPlane, namespace: str
) -> None:
    """What its API server publishes says whether it obeys dry runs."""
    widgets(control_plane, namespace)
    try:
        connection = connect(KubeOptions(kubeconfig=str(helm.kubeconfig), namespace=namespace))
        kind = ServedKind(f"{namespace}.example.com/v1", "Widget", "widgets", namespaced=True)
        other = ServedKind(f"{namespace}.example.com/v1", "Gadget", "gadgets", namespaced=True)
        # The server publishes a new kind a moment after it serves it.
        assert any(DryRunSupport(connection, ()).honoured(kind) for _ in range(2000))
        assert not DryRunSupport(connection, ()).honoured(other)
        definition = {"spec": {"group": other.group, "names": {"kind": "Gadget"}}}
        assert DryRunSupport(connection, [definition]).honoured(other)
    finally:
        no_more_widgets(control_plane, namespace)
