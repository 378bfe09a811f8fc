"""A plan from a bundle says what the plan from the cluster says."""

from __future__ import annotations

from trial import Trial

CONFIG_MAP = """
apiVersion: v1
kind: ConfigMap
metadata: {name: web, labels: {a: "v{{ .Values.a }}"}}
data:
  mixed: "{{ .Values.a }}-{{ len .Values.list }}"
  count: "{{ len .Values.list }} and {{ .Values.b }}"
"""


def test_causes_survive_the_way_through_a_bundle(trial: Trial) -> None:
    """One value is lost and another set: only a second rendering tells which of them changed ``count``."""
    chart = trial.chart(
        {"templates/web.yaml": CONFIG_MAP, "values.yaml": "a: 1\nb: 2\nlist: [one, two, three]\n"}
    )
    trial.upgrade(chart, "--set", "list={one}")
    online = trial.plan(chart, "--set", "a=5", "--server-dry-run", "never")
    assert {change["cause"] for change in online["resources"][0]["changes"]} == {"lost override", "values"}
    offline = trial.bundle_plan(chart, "--set", "a=5")
    assert offline["resources"] == online["resources"]
    told = [(finding["rule"], finding["severity"], finding["effects"]) for finding in offline["findings"]]
    assert told == [(found["rule"], found["severity"], found["effects"]) for found in online["findings"]]
    assert [rule for rule, severity, _ in told if severity != "info"] == ["values-lost-override"]
