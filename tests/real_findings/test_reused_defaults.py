"""``--reuse-values`` with a newer chart: only what may matter is a finding."""

from __future__ import annotations

from trial import Trial, findings

OLD = "image: {tag: v1}\n"
NEW = """
image: {tag: v2}
probe: {}
labels: []
suffix: ""
window: 0
switch: {open: false, size: 3}
"""
CONFIG_MAP = """
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {tag: "{{ .Values.image.tag }}", open: "{{ (.Values.switch).open }}"}
"""


def test_empty_defaults_that_do_not_arrive_are_no_finding(trial: Trial) -> None:
    old = trial.chart({"templates/web.yaml": CONFIG_MAP, "values.yaml": OLD}, "1.0.0")
    new = trial.chart({"templates/web.yaml": CONFIG_MAP, "values.yaml": NEW}, "2.0.0")
    trial.upgrade(old, "--set", "a=1")
    plan = trial.plan(new, "--reuse-values")
    missing = findings(plan, "reuse-values-missing-key")
    assert [(found["severity"], found["effects"]) for found in missing] == [
        (
            "danger",
            ["switch.open stays unset, the chart ships false", "switch.size stays unset, the chart ships 3"],
        ),
        ("info", ["window stays unset, the chart ships 0"]),  # which no template reads
    ]
    stale = findings(plan, "chart-default-stale")
    assert [(found["where"]["name"], found["before"], found["after"]) for found in stale] == [
        ("image.tag", "v1", "v2")
    ]
