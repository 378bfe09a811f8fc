"""What the text of templates tells about the use of values, and about those behind a failure."""

from __future__ import annotations

import pytest

from helmguard.values.chart import Chart, ChartFile, ChartMetadata, Dependency
from helmguard.values.failing_values import failing_values
from helmguard.values.template_use import TemplateUses


def chart(
    name: str = "web",
    *children: Chart,
    entries: tuple[Dependency, ...] = (),
    type_: str = "",
    **templates: str,
) -> Chart:
    files = tuple(ChartFile(f"templates/{file}.yaml", text.encode()) for file, text in templates.items())
    made = Chart(ChartMetadata(name=name, type=type_, dependencies=list(entries)), templates=files)
    made.set_dependencies(list(children))
    return made


@pytest.mark.parametrize(
    ("template", "how"),
    [
        ("a: {{ .Values.a.b }}", "printed"),
        ("a: {{ $.Values.a.b | quote }}", "printed"),
        ("a: {{- .Values.a.b | int -}}", "printed"),
        ("a: {{ .Values.a.b | default 1 }}", "guarded"),
        ('{{ dig "a" "b" 1 .Values }}', "guarded"),
        ("{{ .Values.a.b }}{{ .Values.a.b | default 1 }}", "tested"),
        ("{{ if .Values.a.b }}x{{ end }}", "tested"),
        ("{{ toYaml .Values.a }}", "tested"),
        ("{{ .Values.a.b.c }}", "tested"),
        ("{{ .Values.a }}", "tested"),
        ("{{ .Values.c }}", "unread"),
        ("{{/* .Values.a.b */}}", "unread"),
        ("", "unread"),
    ],
)
def test_how_a_value_is_used(template: str, how: str) -> None:
    assert TemplateUses(chart(all=template), ["web"]).of(("a", "b")).how == how


def test_which_templates_name_it() -> None:
    made = chart(
        one="{{ .Values.a }}", two="{{ .Values.a.b }}", three="{{ .Values.c }}", all="{{ toYaml .Values }}"
    )
    templates = TemplateUses(made, ["web"]).of(("a", "b", 0)).templates
    assert templates == ("web/templates/one.yaml", "web/templates/two.yaml")


def test_the_values_of_a_sub_chart_are_read_by_it_where_it_takes_part() -> None:
    made = chart("web", chart("db", all="{{ .Values.size }}"), entries=(Dependency("db", alias="store"),))
    used = TemplateUses(made, ["web", "web/charts/store"]).of(("store", "size"))
    assert (used.how, used.templates) == ("printed", ("web/charts/store/templates/all.yaml",))
    assert TemplateUses(made, ["web"]).of(("store", "size")).how == "unread"
    assert TemplateUses(made, ["web", "web/charts/store"]).of(("db", "size")).how == "unread"


def test_globals_are_read_by_all_charts() -> None:
    made = chart("web", chart("db", all="{{ .Values.global.size }}"))
    assert TemplateUses(made, ["web", "web/charts/db"]).of(("global", "size")).how == "printed"
    assert TemplateUses(made, ["web", "web/charts/db"]).of(("size",)).how == "unread"


def test_library_charts_run_with_the_values_of_their_parent() -> None:
    made = chart("web", chart("common", type_="library", all="{{ .Values.size }}"))
    assert TemplateUses(made, ["web"]).of(("size",)).how == "printed"


FAIL = """a: 1
{{- if and .Values.tls (not .Values.certName) }}{{ fail "certName is needed" }}{{ end }}
{{- with .Values.other }}{{ end }}
b: {{ required "no b" .Values.b.c }}
"""


@pytest.mark.parametrize(
    ("message", "paths"),
    [
        ("execution error at (web/templates/all.yaml:2:51): certName is needed", [("tls",), ("certName",)]),
        ("web/templates/all.yaml:2:51: certName is needed", [("tls",), ("certName",)]),
        ("execution error at (web/templates/all.yaml:4:6): no b", [("b", "c")]),
        (
            'template: web/templates/all.yaml:4:6: executing "x" at <.Values.b.c>: nil pointer evaluating '
            "interface {}.c",
            [("b",)],
        ),
        ("execution error at (web/templates/none.yaml:4:6): no b", []),
        ('template: web/templates/all.yaml:4:6: executing "x": no template "y"', []),
        ("YAML parse error on web/templates/all.yaml:4:6: x", []),
        ("values don't meet the specifications", []),
    ],
)
def test_which_values_a_failure_depends_on(message: str, paths: list[tuple[str, ...]]) -> None:
    assert list(failing_values(chart(all=FAIL), message)) == paths


def test_a_failure_in_a_sub_chart_names_the_value_as_the_parent_does() -> None:
    made = chart("web", chart("db", all="{{ fail .Values.why }}"), entries=(Dependency("db", alias="store"),))
    message = "execution error at (web/charts/store/templates/all.yaml:1:3): x"
    assert failing_values(made, message) == (("store", "why"),)


def test_a_variable_stands_for_what_it_was_made_of() -> None:
    made = chart(
        all="{{ $x := .Values.a }}\n{{ if $x }}{{ fail .Values.b }}{{ end }}\n{{ if .Values.c }}{{ end }}"
    )
    assert failing_values(made, "execution error at (web/templates/all.yaml:2:14): x") == (("b",), ("a",))
