"""Lists that the user set, against a chart whose default is a list of one empty placeholder."""

from __future__ import annotations

from trial import Trial, findings

VALUES = "stores:\n  - name:\n    bucket:\n    mode: read\nother: 1\n"
TEMPLATE = """
{{- range .Values.stores }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: store}
data: {bucket: "{{ .bucket }}", mode: "{{ .mode }}"}
{{- end }}
"""


def test_a_lost_list_is_one_lost_override(trial: Trial) -> None:
    """The user set the list; a key of its item that only the default has was never the user's."""
    chart = trial.chart({"values.yaml": VALUES, "templates/store.yaml": TEMPLATE})
    trial.upgrade(chart, "--set", "stores[0].name=main,stores[0].bucket=here")
    plan = trial.plan(chart, "--set", "other=2")
    (lost,) = findings(plan, "values-lost-override")
    assert lost["where"]["name"] == "stores"
    assert lost["effects"] == ["ConfigMap/store data.bucket", "ConfigMap/store data.mode"]
