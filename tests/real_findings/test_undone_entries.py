"""Causes where undoing the user's values must not leave half an entry of a map behind."""

from __future__ import annotations

from trial import Trial, resource

SETTINGS = """
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  {{- if .Values.login }}
  login.address: https://login
  {{- end }}
  note: {{ .Chart.Version | quote }}
"""
SOURCES = """
{{- range $name, $source := .Values.sources }}
---
apiVersion: v1
kind: Secret
metadata: {name: source-{{ $name }}}
data:
  address: {{ $source.address | b64enc }}
{{- end }}
"""
FILES = {
    "templates/a.yaml": SETTINGS,
    "templates/b.yaml": SOURCES,
    "values.yaml": "login: true\nsources: {}\n",
}


def test_an_added_entry_is_left_out_whole(trial: Trial) -> None:
    """With ``sources.one`` half undone the chart does not render, and nothing could be told about causes."""
    trial.upgrade(trial.chart(FILES))
    newer = trial.chart(FILES, version="2.0.0")
    plan = trial.plan(newer, "--set", "sources.one.address=there,login=false")
    causes = {change["path"]: change["cause"] for change in resource(plan, "ConfigMap/settings")["changes"]}
    assert causes['data["login.address"]'] == "values"
    assert causes["data.note"] == "chart"
    assert resource(plan, "Secret/source-one")["cause"] == "values"
