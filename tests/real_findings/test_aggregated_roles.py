"""ClusterRoles whose rules a controller gathers from other roles."""

from __future__ import annotations

import pytest
from trial import RELEASE, Trial, resource

ROLES = """
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: NAME}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {to: NAME}}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: NAME-core, labels: {to: NAME}}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
"""


def test_a_new_aggregated_role_says_whose_its_rules_are(trial: Trial) -> None:
    name = f"{trial.namespace}-view"
    plan = trial.plan(trial.chart({"templates/roles.yaml": ROLES.replace("NAME", name)}), "--install")
    assert "rules" in resource(plan, f"ClusterRole/{name}")["unknown"]
    assert resource(plan, f"ClusterRole/{name}-core")["unknown"] == ""


@pytest.mark.parametrize("server_dry_run", ["auto", "never"])
def test_a_replaced_aggregated_role_keeps_the_rules_that_the_controller_gathers(
    trial: Trial, server_dry_run: str
) -> None:
    name = f"{trial.namespace}-view"
    files = {"templates/roles.yaml": ROLES.replace("NAME", name)}
    trial.upgrade(trial.chart(files))
    path = f"/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}"
    trial.cluster.patch(path, {"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]})
    is_helm_4 = trial.plan(trial.chart(files))["engine"]["helm"].startswith("4")
    words = ["--force", *(["--server-side=false"] if is_helm_4 else [])]
    plan = trial.plan(trial.chart(files), "--server-dry-run", server_dry_run, *words)
    trial.helm.run("uninstall", RELEASE)
    role = resource(plan, f"ClusterRole/{name}")
    assert role["after"]["rules"] == role["before"]["rules"] != []
