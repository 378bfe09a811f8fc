"""Operations that Helm or the API server refuses: foretold on the object, with what is changed by then."""

from __future__ import annotations

from typing import Any

import pytest
from field_case import FieldCase, actions, change, findings, resource, rules
from release_secrets import change_record, record_path
from templates import config_map, deployment

STATEFUL_SET = """---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1"}]}
  volumeClaimTemplates:
  - metadata: {name: data, labels: {chart: "{{ .Chart.Name }}-{{ .Chart.Version }}"}}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
"""
JOB = """---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate}
spec:
  template:
    metadata: {labels: {chart: "{{ .Chart.Version }}"}}
    spec: {restartPolicy: Never, containers: [{name: m, image: "m:1"}]}
"""


def test_p06_object_made_by_hand_is_in_the_way(case: FieldCase) -> None:
    """Also reports C20, C21: the plan names what is missing, the page would call it added."""
    case.install(case.chart(config_map("conf", a="1")))
    body = {"metadata": {"name": "other"}, "data": {"a": "by hand"}}
    case.cluster.create(case.path("ConfigMap"), body, field_manager="kubectl-create")
    new = case.chart(config_map("conf", a="2") + config_map("other", a="1"), version="2.0.0")
    plan = case.upgrade_as_planned(new)
    assert plan["exitCode"] == 3
    assert plan["failure"]["stage"] == "before"
    assert plan["failure"]["appliedBefore"] == []
    assert 'missing key "app.kubernetes.io/managed-by"' in plan["failure"]["message"]
    (finding,) = findings(plan, "adoption-conflict")
    assert finding["where"]["name"].startswith("ConfigMap/other")
    assert "--take-ownership" in " ".join(finding["remedy"])
    taken = case.upgrade_as_planned(new, "--take-ownership")
    if case.is_helm_4:
        assert 'conflict with "kubectl-create"' in taken["failure"]["message"]
        taken = case.upgrade_as_planned(new, "--take-ownership", "--force-conflicts")
    assert actions(taken)["ConfigMap/other"] == "adopt"


def test_p10_selector_changed_beside_another_change(case: FieldCase) -> None:
    """The upgrade fails half-way: the ConfigMap is changed by then, and so the plan says."""
    case.install(case.chart(config_map("conf", a="1") + deployment("web")))
    new = case.chart(config_map("conf", a="2") + deployment("web", selector="other"), version="2.0.0")
    plan = case.upgrade_as_planned(new)
    assert plan["exitCode"] == 3
    assert plan["failure"]["stage"] == "apply"
    assert [key["name"] for key in plan["failure"]["appliedBefore"]] == ["conf"]
    assert actions(plan) == {"ConfigMap/conf": "update", "Deployment/web": "fail"}
    (finding,) = findings(plan, "immutable-field")
    assert "already changed by then, and not undone: ConfigMap/conf" in finding["effects"][0]


@pytest.mark.parametrize("template", [STATEFUL_SET, JOB], ids=["c10_claim_template", "c11_job"])
def test_version_label_in_an_immutable_place(case: FieldCase, template: str) -> None:
    """Nothing but the chart's version changes, and every later upgrade fails."""
    case.install(case.chart(template))
    plan = case.upgrade_as_planned(case.chart(template, version="2.0.0"))
    assert plan["exitCode"] == 3
    assert findings(plan, "immutable-field")
    assert plan["failure"]["appliedBefore"] == []


def test_c07_rollback_from_load_balancer_to_cluster_ip(case: FieldCase) -> None:
    template = (
        "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"
        "spec: {type: '{{ .Values.type }}', selector: {app: web}, ports: [{port: 80}]}\n"
    )
    chart = case.chart(template, "type: ClusterIP\n")
    case.install(chart)
    case.upgrade(chart, "--set", "type=LoadBalancer")
    plan = case.rollback_as_planned()
    assert change(plan, "Service/web", "spec.type")[:2] == ("LoadBalancer", "ClusterIP")


def test_c23_p38_stored_manifest_names_an_api_that_is_gone(case: FieldCase) -> None:
    """The new chart is fine; the stored record is not, and no flag helps."""
    budget = (
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\n"
        "spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}\n"
    )
    chart = case.chart(config_map("conf", a="{{ .Values.a }}") + "---\n" + budget, "a: 1\n")
    case.install(chart)
    change_record(case.cluster, record_path(case.namespace, "rel", 1), use_the_removed_api)
    plan = case.upgrade_as_planned(chart, "--set", "a=2")
    assert plan["exitCode"] == 3
    assert plan["failure"]["stage"] == "before"
    assert (
        'no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"' in plan["failure"]["message"]
    )
    (finding,) = findings(plan, "stored-manifest-api-removed")
    assert "mapkubeapis" in finding["remedy"][0]


def test_c02_pending_rollback_and_an_api_that_is_gone(case: FieldCase) -> None:
    """Helm names one cause at a time; the plan names both."""
    budget = (
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\n"
        "spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}\n"
    )
    chart = case.chart(budget)
    case.install(chart)
    case.upgrade(chart)
    for version, status in ((1, "deployed"), (2, "pending-rollback")):
        path = record_path(case.namespace, "rel", version)
        change_record(case.cluster, path, use_the_removed_api)
        change_record(case.cluster, path, lambda record, status=status: record["info"].update(status=status))
    plan = case.upgrade_as_planned(chart)
    assert {"release-pending", "stored-manifest-api-removed"} <= rules(plan)


def use_the_removed_api(record: dict[str, Any]) -> None:
    record["manifest"] = record["manifest"].replace("policy/v1\n", "policy/v1beta1\n")


def test_p39_what_helms_own_dry_run_does_not_say(case: FieldCase) -> None:
    """A dry run on the server passes over an immutable selector and another manager's field."""
    case.install(case.chart(config_map("conf", a="1") + deployment("web")))
    case.edit("ConfigMap", "conf", {"data": {"a": "by hand"}})
    new = case.chart(config_map("conf", a="2") + deployment("web", selector="other"), version="2.0.0")
    assert case.upgrade(new, "--dry-run=server").returncode == 0
    plan = case.upgrade_as_planned(new)
    assert resource(plan, "Deployment/web")["action"] == "fail"
    conflict = "Apply failed with 1 conflict" in plan["failure"]["message"]
    assert conflict is case.is_helm_4


def test_p39_what_helms_own_dry_run_says_too(case: FieldCase) -> None:
    case.install(case.chart(config_map("conf", a="1")))
    new = case.chart(config_map("conf", a="{{ required `a is needed` .Values.a }}"), version="2.0.0")
    dry_run = case.upgrade(new, "--dry-run=server", check=False)
    assert dry_run.returncode == 1
    plan = case.upgrade_as_planned(new)
    assert plan["failure"]["message"] in dry_run.stderr
    assert findings(plan, "render-failed")[0]["where"]["line"] == 6


def test_p39_rollback_dry_run_has_no_plan(case: FieldCase) -> None:
    chart = case.chart(config_map("conf", a="{{ .Values.a }}"), "a: 1\n")
    case.install(chart)
    case.upgrade(chart, "--set", "a=2")
    dry_run = case.helm.run("rollback", "rel", "1", "--dry-run=server" if case.is_helm_4 else "--dry-run")
    assert "conf" not in dry_run.stdout
    plan = case.rollback_as_planned("1")
    assert change(plan, "ConfigMap/conf", "data.a")[:2] == ("2", "1")
