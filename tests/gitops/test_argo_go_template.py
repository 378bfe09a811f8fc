"""Go templates. The expected texts are what helm template prints for the same expression and values."""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest

from helmguard.gitops.argo.go_template.evaluate import execute
from helmguard.gitops.argo.go_template.template_error import MissingKeyError, TemplateError

PARAMETERS: dict[str, Any] = {
    "name": "web-app",
    "path": {"path": "apps/prod/web", "basename": "web", "segments": ["apps", "prod", "web"]},
    "labels": {"env": "prod", "team": "a b"},
    "empty": "",
    "nil": None,
    "yes": True,
    "no": False,
    "list": ["x", "y", "z"],
    "mixed": "Foo Bar_baz-qux.1",
    "nested": {"a": {"b": "c"}},
    "many": 1000000.0,
}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ .name }}-{{.path.basename}}", "web-app-web"),
        ('{{ index .path.segments 1 }} {{ index .nested "a" "b" }}', "prod c"),
        (
            "{{ .missing }} {{ .nil }} {{ .list }} {{ .nested }} {{ .many }}",
            "<no value> <no value> [x y z] map[a:map[b:c]] 1e+06",
        ),
        ("a {{- .name -}}  b {{- /* c */ -}} d", "aweb-appbd"),
        ("{{ if .no }}A{{ else if .yes }}C{{ else }}B{{ end }}", "C"),
        ("{{ with .nested.a }}{{ .b }}{{ $.name }}{{ end }}", "cweb-app"),
        ("{{ range $i, $e := .list }}{{ $i }}={{ $e }};{{ end }}", "0=x;1=y;2=z;"),
        ("{{ range $k, $v := .labels }}{{ $k }}={{ $v }};{{ end }}", "env=prod;team=a b;"),
        ('{{ range .empty | splitList "," }}[{{ . }}]{{ end }}', "[]"),
        ("{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}", "2"),
        ('{{ or .empty .name }} {{ and .yes .empty "x" }}|', "web-app |"),
        ('{{ .name | upper | quote }} {{ "foo bar-baz_q" | title }}', '"WEB-APP" Foo Bar-Baz_q'),
        ('{{ trimSuffix "-app" .name }} {{ .name | replace "-" "." }}', "web web.app"),
        ('{{ (split "/" .path.path)._1 }} {{ splitList "/" .path.path | join "+" }}', "prod apps+prod+web"),
        (
            '{{ default "d" .empty }} {{ default "q" .missing }} {{ coalesce .empty .nil .name }}',
            "d q web-app",
        ),
        ('{{ eq .name "x" "web-app" }} {{ ne .name "x" }} {{ lt 1 2 }} {{ ge 1 2 }}', "true true true false"),
        ('{{ printf "%s-%s|%5s|%03d|%q" .name .labels.env "a" 7 "b" }}', 'web-app-prod|    a|007|"b"'),
        ('{{ print "a" "b" 1 2 .name }}', "ab1 2web-app"),
        ('{{ hasKey .labels "env" }} {{ get .labels "none" }}| {{ dig "a" "z" "d" .nested }}', "true | d"),
        ("{{ trunc 3 .name }} {{ trunc -3 .name }} {{ substr 1 3 .name }}", "web app eb"),
        (
            '{{ regexReplaceAll "[^a-z]" .mixed "-" }} {{ regexReplaceAll "(w)eb" .name "${1}x" }}',
            "-oo--ar-baz-qux-- wx-app",
        ),
        ('{{ add 1 2 3 }} {{ div 7 2 }} {{ mod -7 3 }} {{ int "12" }} {{ int "x" }}', "6 3 -1 12 0"),
        (
            '{{ toJson .labels }} {{ kindOf .labels }} {{ ternary "a" "b" .yes }}',
            '{"env":"prod","team":"a b"} map a',
        ),
        ('{{ "}}" }} {{ "{{" }} {{ `raw "x"` }}', '}} {{ raw "x"'),
        ('{{ set .nested "q" "r" }} {{ .nested.q }}', "map[a:map[b:c] q:r] r"),
        # Argo CD's own.
        ('{{ normalize "Foo_Bar/1." }} {{ slugify 9 true "release one two" }}', "foo-bar-1 release"),
        ('{{ toYaml .labels }} {{ (fromYaml "a: {b: 1}").a.b }}', "env: prod\nteam: a b 1"),
    ],
)
def test_what_a_template_makes(template: str, text: str) -> None:
    assert execute(template, copy.deepcopy(PARAMETERS)) == text


@pytest.mark.parametrize(
    "template",
    [
        "{{ .name",
        "{{ end }}",
        "{{ if .name }}",
        "{{ .name.x }}",
        "{{ .missing.x }}",
        "{{ index .list 9 }}",
        '{{ eq 1 "1" }}',
        "{{ upper .list }}",
        "{{ $undefined }}",
        "{{ nofunc .name }}",
        '{{ fail "no" }}',
        '{{ .name "x" }}',
        "{{ slice .name 0 3 }}",
        '{{ ternary 1 2 "true" }}',
        '{{ repeat -1 "a" }}',
        "{{ 08 }}",
        '{{ env "HOME" }}',
        '{{ template "x" }}',
    ],
)
def test_what_helm_refuses_too_or_is_not_implemented(template: str) -> None:
    with pytest.raises(TemplateError):
        execute(template, PARAMETERS)


def test_a_missing_parameter_by_option() -> None:
    with pytest.raises(MissingKeyError, match=r"there is no parameter \.nope"):
        execute("{{ .nope }}", PARAMETERS, missing_is_error=True)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ .name }}: {{ .host }}", "web-app: <.host>"),
        ('{{ .host | default "x" }}', '<.host | default "x">'),
        ('{{ index .cluster.labels "a" }}-{{ .path.basename }}', '<index .cluster.labels "a">-web'),
    ],
)
def test_parameters_that_only_the_cluster_knows(template: str, text: str) -> None:
    assert execute(template, PARAMETERS, left_open=lambda source: f"<{source}>") == text


def test_a_choice_by_what_is_not_known_is_not_made() -> None:
    with pytest.raises(MissingKeyError):
        execute("{{ if .prod }}a{{ else }}b{{ end }}", PARAMETERS, left_open=lambda _: "?")


@pytest.mark.parametrize(
    "template",
    [
        "{{ range until 9999 }}{{ range until 9999 }}x{{ end }}{{ end }}",
        '{{ repeat 99999999 "abc" }}',
        "{{ until 99999999 }}",
        '{{ regexMatch "(a+)+$" "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab" }}',
        "{{ " + "(" * 500 + ".name" + ")" * 500 + " }}",
        "{{ if .yes }}" * 500 + "{{ end }}" * 500,
        '{{ "a" ' * 60,
    ],
)
def test_a_strangers_template_takes_no_time(template: str) -> None:
    before = time.process_time()
    with pytest.raises(TemplateError):
        execute(template, PARAMETERS)
    assert time.process_time() - before < 20
