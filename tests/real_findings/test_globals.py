"""Global values, which Helm copies into the values of every sub-chart."""

from __future__ import annotations

from trial import Trial, findings

PARENT = "apiVersion: v2\nname: trial\nversion: VERSION\ndependencies: [{name: sub, version: 1.0.0}]\n"
SUB = "apiVersion: v2\nname: sub\nversion: 1.0.0\n"
TEMPLATE = """
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Chart.Name }}}
data: {registry: "{{ .Values.global.registry }}"}
"""


def test_a_global_that_is_lost_or_changed_is_one_change(trial: Trial) -> None:
    files = {
        "values.yaml": "global: {registry: plain}\nother: 1\n",
        "templates/a.yaml": TEMPLATE,
        "charts/sub/Chart.yaml": SUB,
        "charts/sub/values.yaml": "",
        "charts/sub/templates/a.yaml": TEMPLATE,
    }
    first = trial.chart({**files, "Chart.yaml": PARENT.replace("VERSION", "1.0.0")})
    trial.upgrade(first, "--set", "global.registry=mine")
    plan = trial.plan(first, "--set", "other=2")
    (lost,) = findings(plan, "values-lost-override")
    assert lost["where"]["name"] == "global.registry"
    assert [change["path"] for change in plan["values"]["changes"]] == ["global.registry", "other"]
    files["values.yaml"] = "global: {registry: better}\nother: 1\n"
    newer = trial.chart({**files, "Chart.yaml": PARENT.replace("VERSION", "2.0.0")}, version="2.0.0")
    trial.upgrade(first, "--reset-values")
    plan = trial.plan(newer)
    assert [change["path"] for change in plan["values"]["changes"]] == ["global.registry"]
