"""Which templates can tell ``helm template`` from the upgrade itself."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.helm.template_actions import actions
from helmguard.helm.template_scan import TemplateScan, scan_chart
from helmguard.values.chart import Chart, ChartFile, ChartMetadata
from helmguard.values.table import Table

SERVED = ("v1", "apps/v1", "apps/v1/Deployment", "policy/v1", "v1/Pod")


def scan(
    files: dict[str, str] | str,
    *,
    values: dict[str, Any] | None = None,
    others: dict[str, str] | None = None,
    is_upgrade: bool = True,
    version: str = "v1.36.3",
    kube_version: str = "",
) -> TemplateScan:
    given = {"x.yaml": files} if isinstance(files, str) else files
    chart = Chart(
        ChartMetadata(name="c", kube_version=kube_version),
        values=Table(),
        templates=tuple(ChartFile(f"templates/{name}", text.encode()) for name, text in given.items()),
        files=tuple(ChartFile(name, text.encode()) for name, text in (others or {}).items()),
    )
    return scan_chart(
        chart, values or {}, is_upgrade=is_upgrade, kubernetes_version=version, api_versions=SERVED
    )


def needs(found: TemplateScan) -> set[str]:
    return {doubt.needs for doubt in found.doubts}


HARMLESS = [
    "{{ .Release.Name }} {{ $.Release.Namespace }} {{ .Release.Service }} {{ .Release.IsUpgrade }}",
    "{{ .Chart.Name }} {{ .Template.Name }} {{ .Files.Get `a` }} {{ .Values.Release.Revision }}",
    "{{/* lookup and .Release.Revision in a comment */}}{{- /* genCA */ -}}",
    'lookup .Release.Revision {{ `{{ lookup }}` }} {{ "lookup" }}',
    '{{ .Capabilities.APIVersions.Has "apps/v1" }}{{ .Capabilities.APIVersions.Has "apps/v1/Deployment" }}',
    '{{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}',
    '{{ .Capabilities.APIVersions.Has "policy/v1beta1/PodSecurityPolicy" }}',
    '{{ .Capabilities.APIVersions.Has "autoscaling.k8s.io/v1" }}',
    '{{ $.Capabilities.APIVersions.Has "v1/Pod" }}',
    '{{ semverCompare ">=1.20-0" .Capabilities.KubeVersion.GitVersion }}',
    "{{ .Capabilities.KubeVersion.Version }}",
    "{{ .Capabilities.KubeVersion.Minor }}{{ .Capabilities.KubeVersion.Major }}",
    "{{ .Capabilities.HelmVersion.Version }}",
    "{{ with .Values.a }}{{ toYaml . }}{{ end }}{{ range .Values.l }}{{ . | quote }}{{ end }}",
    "{{ range $k, $v := .Values.m }}{{ $k }}: {{ tpl $v $ }}{{ end }}",
    '{{ include "x" . }}{{ include "x" (dict "context" $ "Release" .Release) }}{{ template "x" . }}'
    '{{ define "x" }}{{ .context.Values.a }}{{ .Release.Name }}{{ end }}',
    "{{ $root := . }}{{ $root.Values.a }}{{ if . }}{{ end }}{{ $x := set . `a` 1 }}",
    '{{ index . "Values" "a" }}{{ get $ "Chart" }}',
    '{{ define "lib" }}{{ toYaml . }}{{ end }}{{ include "lib" .Values.a }}',
    '{{ include (print $.Template.BasePath "/x.yaml") . | sha256sum }}',
    "{{ if .Values.a }}{{ with .Values.b }}{{ . }}{{ end }}{{ else }}{{ .Values.c }}{{ end }}",
    "{{ tpl (toYaml .Values.a) . }}{{ tpl .Values.b $ | nindent 4 }}",
]


@pytest.mark.parametrize("template", HARMLESS)
def test_harmless(template: str) -> None:
    found = scan(template)
    assert (found.doubts, found.unstable) == ((), ())


@pytest.mark.parametrize(
    ("asked", "custom"),
    [
        ("monitoring.coreos.com/v1", True),
        ("monitoring.coreos.com/v1/ServiceMonitor", True),
        ("gateway.networking.k8s.io/v1", True),
        ("metrics.k8s.io/v1beta1", True),
        ("policy/v1", False),
        ("networking.k8s.io/v1/Ingress", False),
        ("v1", False),
    ],
)
def test_api_versions_that_helm_does_not_know_itself_are_told(asked: str, custom: bool) -> None:
    found = scan(f'{{{{ .Capabilities.APIVersions.Has "{asked}" }}}}')
    assert found.asked == ((asked,) if custom else ())


CLUSTER = [
    '{{ lookup "v1" "Secret" "a" "b" }}',
    '{{- $s := (lookup "v1" "Secret" .Release.Namespace "b").data -}}',
    '{{ define "x" }}{{ lookup "v1" "Secret" "a" "b" }}{{ end }}{{ include "x" . }}',
    '{{ define "x" }}{{ lookup "v1" "Secret" "a" "b" }}{{ end }}{{ include (printf "%s" "x") . }}',
    '{{ define "x" }}{{ lookup }}{{ end }}{{ define "y" }}{{ include "x" . }}{{ end }}{{ template "y" . }}',
    '{{ block "x" . }}{{ lookup }}{{ end }}',
    '{{ .Capabilities.APIVersions.Has "policy/v1beta1" }}',
    '{{ .Capabilities.APIVersions.Has "v2" }}{{ $.Capabilities.APIVersions.Has "storage.k8s.io/v1beta1" }}',
    "{{ .Capabilities.APIVersions.Has .Values.api }}",
    '{{ .Capabilities.APIVersions.Has (printf "%s/v1" "apps") }}',
    "{{ range .Capabilities.APIVersions }}{{ end }}",
    '{{ has "apps/v1" .Capabilities.APIVersions }}',
    "{{ .Capabilities | toJson }}",
    "{{ with .Capabilities.KubeVersion }}{{ .Minor }}{{ end }}",
]


@pytest.mark.parametrize("template", CLUSTER)
def test_needs_the_cluster(template: str) -> None:
    assert needs(scan(template)) == {"cluster"}


RECORD = [
    "{{ .Release.Revision }}",
    "{{ $.Release.Revision | quote }}",
    '{{ define "x" }}{{ .context.Release.Revision }}{{ end }}{{ include "x" (dict "context" $) }}',
    "{{ with .Release }}{{ .Revision }}{{ end }}",
    "{{ toJson .Release }}",
    '{{ index .Release "Revision" }}{{ index . "Release" "Revision" }}',
    "{{ toYaml . }}",
    "{{ . | toJson | sha256sum }}",
    "{{ range $k, $v := . }}{{ $v }}{{ end }}",
    "{{ with .Values.a }}{{ toYaml $ }}{{ end }}",
    "{{ $all := . }}{{ toJson $all }}",
    '{{ define "x" }}{{ toYaml . }}{{ end }}{{ include "x" . }}',
    '{{ define "x" }}{{ toYaml . }}{{ end }}{{ define "y" }}{{ include "x" . }}{{ end }}{{ include "y" $ }}',
    "{{ with .Values.a }}x{{ else }}{{ toYaml . }}{{ end }}",
    "{{ with . }}{{ toYaml . }}{{ end }}",
]


@pytest.mark.parametrize("template", RECORD)
def test_needs_the_record(template: str) -> None:
    assert "record" in needs(scan(template))


def test_the_first_revision_is_always_1() -> None:
    assert scan("{{ .Release.Revision }}", is_upgrade=False) == TemplateScan()


def test_only_what_can_run_counts() -> None:
    unused = '{{ define "old" }}{{ lookup }}{{ .Release.Revision }}{{ now }}{{ end }}'
    assert scan({"_helpers.tpl": unused, "x.yaml": "a: b"}) == TemplateScan()
    assert scan({"_part.tpl": "{{ lookup }}", "x.yaml": "a: b"}) == TemplateScan()
    included = {"_part.tpl": "{{ lookup }}", "x.yaml": '{{ include "c/templates/_part.tpl" . }}'}
    assert needs(scan(included)) == {"cluster"}
    by_path = {"_p.tpl": "{{ lookup }}", "x.yaml": '{{ include (print .Template.BasePath "/_p.tpl") . }}'}
    assert needs(scan(by_path)) == {"cluster"}


def test_notes_count_only_where_they_can_stop_the_rendering() -> None:
    assert scan({"NOTES.txt": "{{ .Release.Revision }}{{ lookup }}"}) == TemplateScan()
    stopping = {"NOTES.txt": '{{ if lookup "v1" "Pod" "" "" }}{{ fail "no" }}{{ end }}'}
    assert needs(scan(stopping)) == {"cluster"}
    through = {
        "NOTES.txt": '{{ lookup }}{{ include "check" . }}',
        "_h.tpl": '{{ define "check" }}{{ required "a" .b }}{{ end }}',
    }
    assert needs(scan(through)) == {"cluster"}


def test_texts_given_to_tpl() -> None:
    values = {"a": [{"text": '{{ lookup "v1" "Pod" "" "" }}'}]}
    assert scan("{{ toYaml .Values.a }}", values=values) == TemplateScan()
    assert needs(scan("{{ tpl (toYaml .Values.a) . }}", values=values)) == {"cluster"}
    assert needs(scan("{{ tpl .Values.b . }}", values={"b": "{{ .Release.Revision }}"})) == {"record"}
    assert needs(scan('{{ tpl "{{ lookup }}" . }}')) == {"cluster"}
    file = {"files/a.tpl": "{{ .Release.Revision }}"}
    assert needs(scan('{{ tpl (.Files.Get "files/a.tpl") . }}', others=file)) == {"record"}
    assert scan('{{ .Files.Get "files/a.tpl" }}', others=file) == TemplateScan()


def test_a_version_with_a_suffix() -> None:
    template = '{{ semverCompare ">=1.20" .Capabilities.KubeVersion.Version }}'
    assert needs(scan(template, version="v1.29.1-eks-b9c9ed7")) == {"cluster"}
    assert needs(scan("{{ .Capabilities.KubeVersion.Minor }}", version="v1.29.1-eks-b9c9ed7")) == {"cluster"}
    assert needs(scan("a: b", version="v1.29.1+k3s1", kube_version=">=1.20.0-0")) == {"cluster"}
    assert scan("a: b", version="v1.29.1+k3s1") == TemplateScan()


@pytest.mark.parametrize(
    ("template", "functions"),
    [
        ("{{ randAlphaNum 5 }}{{ now | date `2006` }}", ("date", "now", "randAlphaNum")),
        ('{{ $ca := genCA "a" 10 }}{{ genSignedCert "a" nil nil 10 $ca }}', ("genCA", "genSignedCert")),
        ("{{ keys .Values.a }}{{ range keys .Values.b | sortAlpha }}{{ end }}", ("keys",)),
        ("{{ range keys .Values.b | sortAlpha }}{{ end }}{{ .Values.now }}{{ $now := 1 }}", ()),
        ('{{ htpasswd "a" "b" }}{{ uuidv4 }}{{ shuffle "abc" }}', ("htpasswd", "shuffle", "uuidv4")),
    ],
)
def test_functions_with_another_result_each_time(template: str, functions: tuple[str, ...]) -> None:
    assert scan(template).unstable == functions


@pytest.mark.parametrize(
    ("template", "texts"),
    [
        ('{{ a "}}" }}', [["a", '"}}"']]),
        ("{{- a | b -}} }} {{ c", [["a", "|", "b"]]),
        ("{{ `{{ x }}` }}{{/* {{ y }} */}}{{ z }}", [["`{{ x }}`"], ["z"]]),
        ("{{ .a.b $x.c . $ (d 1.5 -2) }}", [[".a.b", "$x.c", ".", "$", "(", "d", ")"]]),
        ("{{ a\n  b }}{{}}", [["a", "b"]]),
        ("{{ 'x' }} it's {{ y }}", [["'x'"], ["y"]]),
    ],
)
def test_actions(template: str, texts: list[list[str]]) -> None:
    assert [[token.text for token in action] for action in actions(template)] == texts
