"""Releases that failed, were killed, or were uninstalled with their history kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from field_case import FieldCase, actions, change, findings, rules
from gadgets import Gadgets
from release_secrets import change_record, record_path
from templates import config_map, deployment

FAILING_HOOK = """---
apiVersion: v1
kind: Service
metadata: {name: check, annotations: {helm.sh/hook: pre-upgrade}}
spec: {ports: []}
"""
"""A hook that the API server refuses: nothing has to run for it to fail."""


@pytest.fixture
def retried(case: FieldCase) -> FieldCase:
    """Revision 1 deployed with image 1, revision 2 failed in its hook on the way to image 2."""
    case.install(case.chart(deployment("web")))
    case.chart(deployment("web", image="nginx:2"), version="2.0.0")
    broken = case.chart(deployment("web", image="nginx:2") + FAILING_HOOK, version="2.0.1")
    assert case.upgrade(broken, check=False).returncode == 1
    return case


def fixed(case: FieldCase) -> Path:
    return case.folder / case.release / "chart-2.0.0"


def test_p09_b01_retry_after_a_failed_hook(retried: FieldCase) -> None:
    """The failed revision's text is not the cluster: the retry still has all to do."""
    plan = retried.upgrade_as_planned(fixed(retried))
    image = "spec.template.spec.containers[name=web].image"
    assert change(plan, "Deployment/web", image) == ("nginx:1", "nginx:2", "chart")
    assert (plan["release"]["fromRevision"], plan["release"]["status"]) == (1, "failed")
    assert "last-failed-partial" in rules(plan)


def test_p09_the_failing_hook_itself(case: FieldCase) -> None:
    case.install(case.chart(deployment("web")))
    plan = case.upgrade_as_planned(
        case.chart(deployment("web", image="nginx:2") + FAILING_HOOK, version="2.0.0")
    )
    assert plan["failure"]["stage"] == "hook"
    assert plan["failure"]["appliedBefore"] == []


def test_c12_objects_of_a_failed_revision_stay(case: FieldCase) -> None:
    """Revision 2 made an object and failed; revision 3 does not know it, and it stays."""
    case.install(case.chart(config_map("conf", a="1") + deployment("web")))
    failing = config_map("conf", a="2") + config_map("stray", a="1") + deployment("web", selector="other")
    assert case.upgrade(case.chart(failing, version="2.0.0"), check=False).returncode == 1
    assert case.live("ConfigMap", "stray")
    plan = case.upgrade_as_planned(case.chart(config_map("conf", a="1") + deployment("web"), version="3.0.0"))
    assert change(plan, "ConfigMap/conf", "data.a")[:2] == ("2", "1")
    (finding,) = findings(plan, "orphaned-by-failed-revision")
    assert "ConfigMap/stray" in str(finding)
    assert case.live("ConfigMap", "stray")


def test_p11_c01_killed_in_the_middle(case: FieldCase) -> None:
    """Refused until the way out is taken, which is a rollback."""
    chart = case.chart(config_map("conf", a="{{ .Values.a }}"), "a: 1\n")
    case.install(chart)
    case.upgrade(chart, "--set", "a=2")
    change_record(case.cluster, record_path(case.namespace, "rel", 2), now_pending)
    plan = case.upgrade_as_planned(chart, "--set", "a=3")
    assert (plan["exitCode"], plan["failure"]["stage"]) == (3, "before")
    assert "another operation (install/upgrade/rollback) is in progress" in plan["failure"]["message"]
    (finding,) = findings(plan, "release-pending")
    assert any("rollback rel" in remedy for remedy in finding["remedy"])
    plan = case.rollback_as_planned("1")
    assert change(plan, "ConfigMap/conf", "data.a")[:2] == ("2", "1")
    case.upgrade_as_planned(chart, "--set", "a=3")


def now_pending(record: dict[str, Any]) -> None:
    record["info"]["status"] = "pending-upgrade"


def test_p12_c03_uninstalled_with_its_history(case: FieldCase) -> None:
    """Everything is created; without --install there is nothing to upgrade."""
    chart = case.chart(config_map("conf", a="1") + deployment("web"))
    case.install(chart)
    case.helm.run("uninstall", "rel", "--keep-history")
    plan = case.upgrade_as_planned(chart)
    assert "has no deployed releases" in plan["failure"]["message"]
    plan = case.install_as_planned(chart)
    assert actions(plan) == {"ConfigMap/conf": "create", "Deployment/web": "create"}
    assert plan["exitCode"] == 2


def test_p34a_b08_chart_of_a_kind_that_ends_in_list(case: FieldCase) -> None:
    """AllowList is no list: it is installed, and each change of it is a change."""
    group = f"{case.namespace}.example.com"
    definition = Gadgets(group).definition(hosts="string")
    for old, new in (("Gadget", "AllowList"), ("gadgets", "allowlists"), ("gadget", "allowlist")):
        definition = definition.replace(old, new)
    path = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/allowlists.{group}"
    template = f"apiVersion: {group}/v1\nkind: AllowList\nmetadata: {{name: a}}\n"
    template += "spec: {hosts: '{{ .Values.h }}'}\n"
    chart = case.chart(template, "h: one\n", files={"crds/list.yaml": definition})
    try:
        assert case.exit_code(chart, "--install") == 2
        assert actions(case.install_as_planned(chart))["AllowList/a"] == "create"
        assert case.exit_code(chart) == 0
        assert case.exit_code(chart, "--set", "h=two") == 2
        plan = case.upgrade_as_planned(chart, "--set", "h=two")
        assert change(plan, "AllowList/a", "spec.hosts")[:2] == ("one", "two")
    finally:
        case.cluster.remove(path)


def test_p34b_pipeline_retries_a_failed_upgrade(retried: FieldCase) -> None:
    assert retried.exit_code(fixed(retried)) == 2
    retried.upgrade(fixed(retried))
    assert retried.exit_code(fixed(retried)) == 0


def test_p34c_pipeline_brings_back_what_was_deleted(case: FieldCase) -> None:
    chart = case.chart(config_map("conf", a="1"))
    case.install(chart)
    assert case.exit_code(chart) == 0
    case.cluster.delete(case.path("ConfigMap", "conf"))
    assert case.exit_code(chart) == 2
