"""Findings about values that real values files must not, or must, lead to."""

from __future__ import annotations

from trial import Trial, findings

TEMPLATE = """
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {port: "{{ .Values.port }}", on: "{{ .Values.switch }}", count: "{{ .Values.count }}"}
"""


def test_an_empty_text_is_a_default_of_any_type(trial: Trial) -> None:
    chart = trial.chart({"templates/web.yaml": TEMPLATE, "values.yaml": "port: ''\nswitch: false\ncount:\n"})
    quiet = trial.plan(chart, "--install", "--set", "port=80,count=3,switch=true")
    assert findings(quiet, "values-type-change") == []
    text = trial.plan(chart, "--install", "--set-string", "switch=false")
    assert [found["where"]["name"] for found in findings(text, "values-type-change")] == ["switch"]
