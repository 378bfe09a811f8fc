"""ClusterRoles whose rules a controller gathers from other roles."""

from __future__ import annotations

from trial import Trial, resource

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
