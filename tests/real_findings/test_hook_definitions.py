"""A chart whose pre-upgrade hook applies newer CRDs before Helm writes objects that need them."""

from __future__ import annotations

import yaml
from trial import Trial, resource

HOOK = """
apiVersion: batch/v1
kind: Job
metadata:
  name: apply-crds
  annotations: {helm.sh/hook: pre-upgrade, helm.sh/hook-delete-policy: before-hook-creation}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: apply, image: kubectl, command: [kubectl, apply, -f, /crds]}]
"""


def test_no_dry_run_against_a_definition_that_a_hook_replaces(trial: Trial) -> None:
    """The server knows only the definition of now, and refuses what it does not declare or drops it."""
    suffix = trial.namespace.rsplit("-", 1)[-1]
    group = f"{suffix}.hooked.example.com"
    policy = f"apiVersion: {group}/v1\nkind: Policy\nmetadata: {{name: main}}\nspec: SPEC\n"
    files = {"crds/policy.yaml": _definition(group, "old"), "templates/policy.yaml": ""}
    files["templates/policy.yaml"] = policy.replace("SPEC", "{old: one}")
    trial.upgrade(trial.chart(files))
    try:
        files["crds/policy.yaml"] = _definition(group, "old", "fresh")
        files["templates/policy.yaml"] = policy.replace("SPEC", "{old: one, fresh: two}")
        newer = trial.chart({**files, "templates/hook.yaml": HOOK}, version="2.0.0")
        plan = trial.plan(newer)
        changed = resource(plan, "Policy/main")
        assert plan["failure"] is None
        assert changed["after"]["spec"] == {"old": "one", "fresh": "two"}
        assert "Job/apply-crds seems to change its definition" in changed["confirmedWhy"]
    finally:
        path = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/policies.{group}"
        trial.cluster.request("DELETE", path, {})


def _definition(group: str, *fields: str) -> str:
    spec = {"type": "object", "properties": {field: {"type": "string"} for field in fields}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return yaml.safe_dump(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": f"policies.{group}"},
            "spec": {
                "group": group,
                "names": {"kind": "Policy", "plural": "policies"},
                "scope": "Namespaced",
                "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
            },
        }
    )
