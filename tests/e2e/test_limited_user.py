"""A user who may not read everything gets a plan that says what it does not know, never "no changes"."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.permissions import grant
from helmguard_program import Helmguard
from which_helm import with_helm_3, with_helm_4

SHOP = Path(__file__).parent / "charts" / "shop"
RECORDS = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list"]}
SETTINGS = {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list"]}
WEB = {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get", "list"]}
LIMITS = {
    "apiGroups": ["", "autoscaling"],
    "resources": ["resourcequotas", "limitranges", "horizontalpodautoscalers"],
    "verbs": ["get", "list"],
}
WIDGETS = {"apiGroups": ["shop.example.com"], "resources": ["widgets"], "verbs": ["get", "list"]}


@pytest.fixture
def limited(helm: Helm, helmguard: Helmguard, control_plane: ControlPlane) -> Helmguard:
    """helmguard for a user without any right, beside an installed release `shop`."""
    helm.run("install", "shop", SHOP)
    return replace(helmguard, kubeconfig=control_plane.as_limited().kubeconfig)


@with_helm_3
def test_without_the_records_there_is_no_plan(limited: Helmguard) -> None:
    for words in (["shop", SHOP], ["shop", "--rollback"]):
        ended = limited.run("plan", *words)
        ended.expect_error("the release records cannot be read", "kubectl create role", "--resource=secrets")


@with_helm_4
def test_unreadable_objects_are_unknown(
    limited: Helmguard, control_plane: ControlPlane, namespace: str
) -> None:
    grant(control_plane, namespace, [RECORDS, SETTINGS])
    plan = limited.plan("shop", SHOP)
    assert plan["exitCode"] == 2
    unknown = {entry["what"]: entry["why"] for entry in plan["unknown"]}
    assert "forbidden" in unknown["Deployment/shop-web"]
    assert "forbidden" in unknown["Widget/shop-widget"]
    actions = {
        resource["name"]: (resource["action"], resource["confirmed"]) for resource in plan["resources"]
    }
    assert actions["shop-settings"] == ("unchanged", "local")
    assert actions["shop-web"][1] == actions["shop-widget"][1] == "unknown"

    page = limited.run("plan", "shop", SHOP).expect(2).out
    assert "Unknown  " in page
    assert "? Deployment/shop-web" in page
    assert page.splitlines()[-1].startswith("Not certain: no change found")
    assert limited.run("plan", "shop", SHOP, "-q").expect(2).out == page.splitlines()[-1] + "\n"


@with_helm_3
def test_a_bundle_of_what_may_be_read_says_what_is_missing(
    limited: Helmguard, control_plane: ControlPlane, namespace: str
) -> None:
    grant(control_plane, namespace, [RECORDS, SETTINGS])
    online = limited.plan("shop", SHOP, "--set", "replicas=2")
    limited.run("bundle", "shop", SHOP, "--set", "replicas=2", "-o", "bundle").expect(0)
    offline = limited.plan("--bundle", "bundle")
    assert offline["unknown"] == online["unknown"] != []
    assert (offline["exitCode"], online["exitCode"]) == (2, 2)


@with_helm_4
def test_enough_rights_for_the_release_are_enough(
    limited: Helmguard, control_plane: ControlPlane, namespace: str
) -> None:
    """No right on definitions, nodes or other namespaces: what cannot be read of these is told, too."""
    grant(control_plane, namespace, [RECORDS, SETTINGS, WEB, WIDGETS, LIMITS])
    plan = limited.plan("shop", SHOP, "--set", "replicas=2", "--fail-on", "blocker")
    unknown = {entry["what"]: entry["why"] for entry in plan["unknown"]}
    assert set(unknown) == {"CustomResourceDefinition/widgets.shop.example.com", "Widget/shop-widget"}
    assert "not predictable" in unknown["Widget/shop-widget"]
    changed = {resource["name"] for resource in plan["resources"] if resource["action"] == "update"}
    assert changed == {"shop-web", "shop-widget"}
