"""Which values templates write into Secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from helmguard.helm.chart import load_chart
from helmguard.helm.secret_values import texts_in_secrets
from helmguard.model.helm_version import HelmVersion

HEAD = "apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Values.name }}}\n"
VALUES: dict[str, Any] = {
    "name": "shown",
    "a": {"pin": "hidden-1", "more": {"x": "hidden-2", "y": "hidden-3"}, "host": "shown", "n": 123456},
    "b": "shown",
    "on": True,
}


@pytest.mark.parametrize(
    ("template", "found"),
    [
        (HEAD + "stringData: {pin: {{ .Values.a.pin }}}\n", {"hidden-1"}),
        (HEAD + "data:\n  pin: {{ $.Values.a.pin | b64enc | quote }}\n", {"hidden-1"}),
        (HEAD + 'data:\n  pin: {{ index .Values "a" "pin" | b64enc }}\n', {"hidden-1"}),
        (HEAD + 'data:\n  pin: {{ include "manage" (dict "path" "a.pin") }}\n', {"hidden-1"}),
        (
            HEAD + "data:\n{{- range $k, $v := .Values.a.more }}\n  {{ $k }}: {{ $v }}\n{{- end }}\n",
            {"hidden-2", "hidden-3"},
        ),
        (
            HEAD + "data:\n{{- with .Values.a }}\n  p: {{ .pin }}\n  h: {{ .host }}\n{{- end }}\n",
            {"hidden-1", "123456"},
        ),
        ("{{- $pin := .Values.a.pin }}\n" + HEAD + "data: {p: {{ $pin }}}\n", {"hidden-1"}),
        (HEAD + "data:\n{{- if .Values.b }}\n  n: {{ .Values.a.n }}\n{{- end }}\n", {"123456"}),
        (HEAD + "data: {host: {{ .Values.a.host }}}\ntype: {{ .Values.b }}\n", set()),
        (HEAD + "data: {all: {{ toYaml .Values.a | b64enc }}}\n", set()),
        ("kind: ConfigMap\ndata: {pin: {{ .Values.a.pin }}}\n", set()),
        (
            "kind: ConfigMap\ndata: {pin: {{ .Values.b }}}\n---\n"
            + HEAD
            + "data: {p: {{ .Values.a.pin }}}\n",
            {"hidden-1"},
        ),
    ],
)
def test_values_of_templates(tmp_path: Path, template: str, found: set[str]) -> None:
    (tmp_path / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.yaml").write_text(template)
    chart = load_chart(tmp_path, HelmVersion.parse("3.22.0"))
    assert texts_in_secrets(chart, [VALUES, None, {}]) == found


def test_values_of_sub_charts(tmp_path: Path) -> None:
    for folder, name in (("", "web"), ("charts/db", "db")):
        (tmp_path / folder / "templates").mkdir(parents=True)
        more = "dependencies: [{name: db, version: '*', alias: store}]\n" if not folder else ""
        (tmp_path / folder / "Chart.yaml").write_text(f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n{more}")
    template = HEAD + "data: {p: {{ .Values.pin }}, g: {{ .Values.global.pin }}}\n"
    (tmp_path / "charts/db/templates/a.yaml").write_text(template)
    chart = load_chart(tmp_path, HelmVersion.parse("3.22.0"))
    values = {"pin": "shown", "store": {"pin": "hidden-1"}, "global": {"pin": "hidden-2"}}
    assert texts_in_secrets(chart, [values]) == {"hidden-1", "hidden-2"}
