"""An operator's first install: its kind comes from crds/, its one custom resource is of no namespace."""

from __future__ import annotations

import uuid

import pytest
from controlplane.client import ControlPlane
from trial import Trial, resource

HOOK = """
apiVersion: v1
kind: ConfigMap
metadata:
  name: before-upgrades
  annotations: {helm.sh/hook: pre-upgrade}
"""


@pytest.fixture
def group(control_plane: ControlPlane) -> str:
    """An API group of this test alone; its definition is left to the end of the cluster."""
    return f"g{uuid.uuid4().hex[:8]}.example.com"


def definition(group: str) -> str:
    """A cluster-scoped kind whose specification takes anything."""
    return f"""
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: policies.{group}}}
spec:
  group: {group}
  scope: Cluster
  names: {{kind: Policy, plural: policies}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {{spec: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}
"""


LOOKUP = """
apiVersion: v1
kind: ConfigMap
metadata: {name: seen}
data:
  old: {{ (lookup "v1" "ConfigMap" .Release.Namespace "seen") | empty | quote }}
"""


def test_kinds_that_only_the_chart_defines(trial: Trial, group: str) -> None:
    policy = f"apiVersion: {group}/v1\nkind: Policy\nmetadata: {{name: main}}\nspec: {{mode: one}}\n"
    chart = trial.chart(
        {
            "crds/policy.yaml": definition(group),
            "templates/policy.yaml": policy,
            "templates/hook.yaml": HOOK,
        }
    )
    plan = trial.plan(chart, "--install")
    assert plan["unknown"] == []
    assert plan["notes"] == []  # no hook runs on an install: nothing about hooks is open
    assert resource(plan, "Policy/main")["namespace"] is None
    assert resource(plan, f"CustomResourceDefinition/policies.{group}")["action"] == "create"
    trial.upgrade(chart)
    live = trial.cluster.get(f"/apis/{group}/v1/policies/main")
    assert resource(plan, "Policy/main")["after"]["spec"] == live["spec"]
    assert trial.plan(chart)["notes"] != []


@pytest.mark.parametrize(
    ("template", "doubts"), [(HOOK, []), (LOOKUP, ["lookup reads the cluster (trial/templates/seen.yaml)"])]
)
def test_what_is_open_where_helms_dry_run_stops(
    trial: Trial, group: str, template: str, doubts: list[str]
) -> None:
    """helm's own dry run knows no kind of crds/; without it only what templates ask the cluster is open."""
    policy = f"apiVersion: {group}/v1\nkind: Policy\nmetadata: {{name: main}}\n"
    chart = trial.chart(
        {
            "crds/policy.yaml": definition(group),
            "templates/policy.yaml": policy,
            "templates/seen.yaml": template,
        }
    )
    for render in ("auto", "dry-run"):
        plan = trial.plan(chart, "--install", "--render", render)
        unknown = [entry["why"] for entry in plan["unknown"] if entry["what"] == "rendering"]
        assert [text.split(";")[0] for text in unknown] == doubts
        assert all("a kind is not served" in text for text in unknown)
