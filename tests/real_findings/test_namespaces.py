"""Namespaces that are not there when Helm wants to write into them."""

from __future__ import annotations

from controlplane.helm import HelmFailed
from trial import RELEASE, Trial, resource

CONFIG_MAP = """
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
---
{{ if .Values.elsewhere }}
apiVersion: v1
kind: ConfigMap
metadata: {name: other, namespace: "{{ .Values.elsewhere }}"}
{{ end }}
"""


def failure_of(trial: Trial, *words: str) -> str:
    """helm's own error text."""
    try:
        trial.helm.run("upgrade", "--install", RELEASE, *words)
    except HelmFailed as failed:
        return failed.done.stderr.rpartition("Error: ")[2].removeprefix("UPGRADE FAILED: ").strip()
    return ""


def test_the_namespace_of_an_install(trial: Trial) -> None:
    chart = trial.chart({"templates/web.yaml": CONFIG_MAP, "values.yaml": "elsewhere: ''\n"})
    missing = trial.elsewhere()
    plan = missing.plan(chart, "--install")
    assert plan["failure"]["message"] == failure_of(missing, str(chart))
    assert [finding["rule"] for finding in plan["findings"]] == ["namespace-missing"]
    assert plan["exitCode"] == 3
    made = missing.plan(chart, "--install", "--create-namespace")
    assert made["failure"] is None
    assert [entry["action"] for entry in made["resources"]] == ["create", "create"]
    missing.upgrade(chart, "--create-namespace")
    live = trial.cluster.get(f"/api/v1/namespaces/{missing.namespace}")
    created = resource(made, f"Namespace/{missing.namespace}")["after"]
    assert created["metadata"]["labels"] == live["metadata"]["labels"]
    assert missing.plan(chart)["exitCode"] == 0
    trial.cluster.delete(f"/api/v1/namespaces/{missing.namespace}")


def test_another_namespace_than_the_releases(trial: Trial) -> None:
    chart = trial.chart({"templates/web.yaml": CONFIG_MAP, "values.yaml": "elsewhere: ''\n"})
    words = ("--set", "elsewhere=no-such-place")
    plan = trial.plan(chart, "--install", *words)
    assert plan["failure"]["message"].strip() == failure_of(trial, str(chart), *words)
    trial.helm.run("uninstall", RELEASE)
    trial.upgrade(chart)
    plan = trial.plan(chart, *words)
    assert plan["failure"]["message"] == failure_of(trial, str(chart), *words)
    assert resource(plan, "ConfigMap/other")["action"] == "fail"
