"""Fields that leave an object because the chart drops what holds them, or a value became empty."""

from __future__ import annotations

from typing import Any

from trial import Trial, findings, resource

DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe: {PROBE}
"""
SETTINGS = """
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  level: {{ .Values.level }}
  {{- with .Values.extra }}
  extra: {{ . }}
  {{- end }}
  {{- with .Values.more }}
  more: {{ . }}
  {{- end }}
"""


def test_a_default_goes_with_the_map_that_the_chart_drops(trial: Trial) -> None:
    """The server filled ``grpc.service``; a chart that turns to another kind of probe is no drift."""
    first = trial.chart({"templates/web.yaml": DEPLOYMENT.replace("PROBE", "grpc: {port: 8082}")})
    trial.upgrade(first)
    probe = DEPLOYMENT.replace("PROBE", "httpGet: {path: /, port: 8080}")
    plan = trial.plan(trial.chart({"templates/web.yaml": probe}, version="2.0.0"))
    causes = {
        change["path"].split("readinessProbe.")[-1]: change["cause"] for change in _changes(plan, "web")
    }
    assert causes["grpc.service"] == "chart"
    assert set(causes.values()) <= {"chart", "server"}


def test_a_lost_override_reaches_the_field_that_an_empty_value_leaves_out(trial: Trial) -> None:
    files = {"templates/settings.yaml": SETTINGS, "values.yaml": "level: one\nextra: ''\nmore: ''\n"}
    chart = trial.chart(files)
    trial.upgrade(chart, "--set", "extra=mine,more=too")
    lost = findings(trial.plan(chart, "--set", "level=two"), "values-lost-override")
    assert {finding["where"]["name"]: len(finding["effects"]) for finding in lost} == {"extra": 1, "more": 1}


def _changes(plan: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return list(resource(plan, f"Deployment/{name}")["changes"])
