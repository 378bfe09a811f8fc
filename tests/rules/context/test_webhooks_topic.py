"""Webhooks that come or change, what they are asked about, and whether their own pods depend on them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from manifest_facts import upgrade
from msgspec.structs import replace

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.field_change import FieldChange
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.context.webhooks import Webhook, webhooks_of
from helmguard.rules.facts import Facts

PODS = {"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]}
CUSTOM = {"operations": ["*"], "apiGroups": ["example.com"], "apiVersions": ["*"], "resources": ["widgets"]}
SERVICE = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "hook"},
    "spec": {"selector": {"app": "hook"}},
}


def configuration(policy: str = "Fail", rules: Any = (PODS,), **more: Any) -> dict[str, Any]:
    hook = {
        "name": "pods.test",
        "failurePolicy": policy,
        "rules": list(rules),
        "clientConfig": {"service": {"namespace": "shop", "name": "hook"}},
        **more,
    }
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "v"},
        "webhooks": [hook],
    }


def deployment(**spec: Any) -> dict[str, Any]:
    template = {"metadata": {"labels": {"app": "hook", "tier": "web"}}, "spec": {}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "hook"},
        "spec": {"template": template, **spec},
    }


def changed(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Facts:
    return upgrade(*("\n---\n".join(json.dumps(body) for body in part) for part in (old, new)))


def one(old: dict[str, Any] | None, new: dict[str, Any], *others: dict[str, Any]) -> Webhook:
    (found,) = webhooks_of(changed([*others, *([old] if old else [])], [*others, new])).all
    return found


def test_a_policy_that_becomes_fail() -> None:
    found = one(configuration("Ignore"), configuration(), SERVICE, deployment())
    assert (found.before, found.after, found.is_new, found.index) == ("Ignore", "Fail", False, 0)
    assert (found.rules, found.matches_pods, found.matches_builtin) == (("CREATE pods",), True, True)
    assert (found.service, found.backend, found.replicas) == ("shop/hook", "Deployment/hook", 1)
    assert found.target == "validatingwebhookconfiguration.admissionregistration.k8s.io/v"


def test_what_stays_as_it_is_is_left_out() -> None:
    assert webhooks_of(changed([configuration()], [configuration()])).all == ()
    assert webhooks_of(changed([configuration()], [])).all == ()


def test_a_new_one() -> None:
    found = one(None, configuration(rules=[CUSTOM]))
    assert (found.is_new, found.before, found.matches_pods, found.matches_builtin) == (True, "", False, False)
    assert (found.matches_own, found.matches_system) == (False, False)


@pytest.mark.parametrize(
    ("old", "new", "widened", "narrowed"),
    [
        ([PODS], [PODS, CUSTOM], True, False),
        ([PODS, CUSTOM], [PODS], False, True),
        ([{**PODS, "operations": ["*"]}], [PODS], False, True),
        ([PODS], [{**PODS, "resources": ["*"]}], True, False),
        ([PODS], [{**PODS, "resources": ["*/*"]}], True, False),
        ([PODS], [CUSTOM], True, True),
    ],
)
def test_rules_that_grow_and_shrink(old: Any, new: Any, widened: bool, narrowed: bool) -> None:
    found = one(configuration(rules=old), configuration(rules=new))
    assert (found.widened, found.narrowed) == (widened, narrowed)


def test_a_selector_that_goes_widens() -> None:
    narrow = configuration(namespaceSelector={"matchLabels": {"team": "a"}})
    found = one(narrow, configuration())
    assert (found.widened, found.narrowed) == (True, False)
    found = one(configuration(), narrow)
    assert (found.widened, found.narrowed) == (False, True)


def not_in(*names: str) -> dict[str, Any]:
    return {
        "matchExpressions": [
            {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": list(names)}
        ]
    }


@pytest.mark.parametrize(
    ("selectors", "own", "system"),
    [
        ({}, True, True),
        ({"namespaceSelector": not_in("kube-system")}, True, False),
        ({"namespaceSelector": not_in("shop", "kube-system")}, False, False),
        ({"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "shop"}}}, True, False),
        ({"namespaceSelector": {"matchLabels": {"team": "a"}}}, UNKNOWN, UNKNOWN),
        (
            {"namespaceSelector": {"matchExpressions": [{"key": "team", "operator": "Exists"}]}},
            UNKNOWN,
            UNKNOWN,
        ),
        ({"objectSelector": {"matchLabels": {"app": "other"}}}, False, True),
        ({"objectSelector": {"matchLabels": {"tier": "web"}}}, True, True),
        ({"objectSelector": {"matchExpressions": [{"key": "skip", "operator": "DoesNotExist"}]}}, True, True),
    ],
)
def test_whether_it_is_asked_about_its_own_pods(selectors: Any, own: object, system: object) -> None:
    found = one(None, configuration(**selectors), SERVICE, deployment())
    assert found.matches_own is own
    if "objectSelector" not in selectors:
        assert found.matches_system is system
    assert found.lacks == (("cluster.allNamespaces",) if own is UNKNOWN else ())


@pytest.mark.parametrize(("labels", "own"), [({"team": "a"}, True), ({"team": "b"}, False), ({}, False)])
def test_the_labels_of_namespaces_settle_it(labels: dict[str, str], own: bool) -> None:
    selector = {"matchLabels": {"team": "a"}}
    facts = changed(
        [SERVICE, deployment()], [SERVICE, deployment(), configuration(namespaceSelector=selector)]
    )
    namespaces = tuple({"metadata": {"name": name, "labels": labels}} for name in ("shop", "kube-system"))
    facts = replace(facts, cluster=ClusterFacts(lists={"allNamespaces": namespaces}))
    (found,) = webhooks_of(facts).all
    assert (found.matches_own, found.lacks) == (own, ())


def test_a_url_is_nobodys_pod() -> None:
    found = one(None, configuration(clientConfig={"url": "https://hook.example"}))
    assert (found.service, found.matches_own, found.backend) == ("", False, "")


@pytest.mark.parametrize(
    ("spec", "gap"),
    [
        ({}, False),
        ({"replicas": 1, "strategy": {"type": "Recreate"}}, True),
        ({"replicas": 1, "strategy": {"rollingUpdate": {"maxUnavailable": 1}}}, True),
        ({"replicas": 2, "strategy": {"rollingUpdate": {"maxUnavailable": 1}}}, False),
        ({"replicas": 2, "strategy": {"rollingUpdate": {"maxUnavailable": "100%"}}}, True),
        ({"replicas": 1, "strategy": {"rollingUpdate": {"maxUnavailable": "25%"}}}, False),
    ],
)
def test_whether_a_rollout_leaves_it_without_a_pod(spec: dict[str, Any], gap: bool) -> None:
    facts = changed([SERVICE, deployment(), configuration()], [SERVICE, deployment(**spec), configuration()])
    change = FieldChange(("spec", "template", "spec", "containers"), 1, 2, "chart")
    resources = tuple(
        replace(one, changes=(change,)) if one.prediction.key.kind == "Deployment" else one
        for one in facts.resources
    )
    restarting = [
        replace(one, prediction=replace(one.prediction, action="update"))
        if one.prediction.key.kind == "Deployment"
        else one
        for one in resources
    ]
    (found,) = webhooks_of(replace(facts, resources=tuple(restarting))).all
    assert (found.restarts, found.gap) == (True, gap)
