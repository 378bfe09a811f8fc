"""ApplicationSets: the Applications that their generators make."""

from __future__ import annotations

import pytest

from helmguard.model.declared_release import DeclaredRelease, FoundReleases
from tests.gitops.argo_files import CHARTS, OWN, REMOTE, application_set, found, indented, of_list


def names(read: FoundReleases) -> list[str]:
    assert read.unknown == ()
    return [release.name for release in read.releases]


@pytest.mark.parametrize("go", [True, False])
def test_directories(go: bool) -> None:
    generator = f"- git: {{repoURL: {OWN}, revision: HEAD, directories: [{{path: apps/prod/*}}]}}"
    read = found({**CHARTS, "set.yaml": application_set(generator, go=go)})
    assert names(read) == ["db", "web"]
    release = read.releases[0]
    assert release.identity == "ApplicationSet argocd/all › Application argocd/db"
    assert (release.chart.path, release.namespace, release.reads) == ("apps/prod/db", "shop", {"set.yaml"})
    assert release.controller.deletes is True


def test_directories_left_out() -> None:
    generator = f"""
- git:
    repoURL: {OWN}
    directories:
    - {{path: apps/*/*}}
    - {{path: apps/test/*, exclude: true}}
    - {{path: apps/prod/db, exclude: true}}
"""
    assert names(found({**CHARTS, "set.yaml": application_set(generator)})) == ["web"]


@pytest.mark.parametrize(
    ("go", "name"),
    [
        (True, "{{.a.b}}-{{.path.basename}}-{{.path.filenameNormalized}}-{{index .path.segments 1}}"),
        (False, "{{a.b}}-{{path.basename}}-{{path.filenameNormalized}}-{{path[1]}}"),
    ],
)
def test_files(go: bool, name: str) -> None:
    generator = (
        f"- git: {{repoURL: {OWN}, files: [{{path: 'envs/*/?pp.json'}}, {{path: envs/x/*, exclude: true}}]}}"
    )
    files = {
        "envs/one/App.json": '{"a": {"b": 1}, "list": ["x"]}',
        "envs/two/app.json": "- a: {b: p}\n- a: {b: q}\n",
        "envs/x/app.json": "{}",
        "set.yaml": application_set(generator, f"metadata: {{name: '{name}'}}\n{REMOTE % '1.0.0'}", go=go),
    }
    read = found(files)
    assert names(read) == ["1-one-app.json-one", "p-two-app.json-two", "q-two-app.json-two"]
    assert read.releases[0].reads == {"envs/one/App.json", "set.yaml"}


def test_a_prefix_of_the_path() -> None:
    generator = f"- git: {{repoURL: {OWN}, pathParamPrefix: my, directories: [{{path: apps/prod/*}}]}}"
    template = f"metadata: {{name: '{{{{.my.path.basename}}}}'}}\n{REMOTE % '1.0.0'}"
    assert names(found({**CHARTS, "set.yaml": application_set(generator, template)})) == ["db", "web"]


def test_a_list_with_values() -> None:
    template = f"metadata: {{name: '{{{{name}}}}-{{{{values.env}}}}'}}\n{REMOTE % '{{version}}'}"
    read = of_list(
        "- {name: a, version: 1.0.0, values: {env: prod}}\n- {name: b, version: 2.0.0}", template, go=False
    )
    # What no parameter is stays as it stands.
    assert [(release.name, release.chart.version) for release in read.releases] == [
        ("a-prod", "1.0.0"),
        ("b-{{values.env}}", "2.0.0"),
    ]


def test_a_list_in_a_text() -> None:
    generator = "- list: {elementsYaml: '[{name: a}, {name: b}]'}"
    template = f"metadata: {{name: '{{{{.name}}}}'}}\n{REMOTE % '1.0.0'}"
    assert names(found({"set.yaml": application_set(generator, template)})) == ["a", "b"]


MATRIX = f"""
- matrix:
    generators:
    - list: {{elements: [{{env: prod, v: 1.0.0}}, {{env: test, v: 2.0.0}}]}}
    - git: {{repoURL: {OWN}, directories: [{{path: 'apps/%s/*'}}]}}
"""


@pytest.mark.parametrize(("go", "dot"), [(True, "."), (False, "")])
def test_a_matrix_fills_the_first_into_the_second(go: bool, dot: str) -> None:
    template = (
        f"metadata: {{name: '{{{{{dot}env}}}}-{{{{{dot}path.basename}}}}'}}\n{REMOTE % (f'{{{{{dot}v}}}}')}"
    )
    text = application_set(MATRIX % f"{{{{{dot}env}}}}", template, go=go)
    read = found({**CHARTS, "set.yaml": text})
    assert [(one.name, one.chart.version) for one in read.releases] == [
        ("prod-db", "1.0.0"),
        ("prod-web", "1.0.0"),
        ("test-web", "2.0.0"),
    ]


def test_in_a_matrix_the_first_wins() -> None:
    generator = """
- matrix:
    generators:
    - list: {elements: [{name: a, v: {x: 1.0.0}}]}
    - list: {elements: [{v: {x: 2.0.0, z: '3'}}]}
"""
    template = f"metadata: {{name: '{{{{.name}}}}-{{{{.v.z}}}}'}}\n{REMOTE % '{{.v.x}}'}"
    (release,) = found({"set.yaml": application_set(generator, template)}).releases
    assert (release.name, release.chart.version) == ("a-3", "1.0.0")


def test_without_go_templates_a_matrix_refuses_two_values() -> None:
    generator = "- matrix: {generators: [{list: {elements: [{a: p}]}}, {list: {elements: [{a: q}]}}]}"
    text = application_set(generator, f"metadata: {{name: x}}\n{REMOTE % '1'}", go=False)
    (unknown,) = found({"set.yaml": text}).unknown
    assert unknown.why == "Argo CD refuses its matrix: a has two values, p and q"


@pytest.mark.parametrize(("go", "version"), [(True, "{{.v.x}}"), (False, "{{v}}")])
def test_merge(go: bool, version: str) -> None:
    wrap = ("{x: '%s', y: '1'}" if go else "'%s'").__mod__
    generator = f"""
- merge:
    mergeKeys: [name]
    generators:
    - list: {{elements: [{{name: a, v: {wrap("1.0.0")}}}, {{name: b, v: {wrap("1.0.0")}}}]}}
    - list: {{elements: [{{name: b, v: {wrap("2.0.0")}}}, {{name: c, v: {wrap("3.0.0")}}}]}}
"""
    name = "{{.name}}" if go else "{{name}}"
    read = found(
        {"set.yaml": application_set(generator, f"metadata: {{name: '{name}'}}\n{REMOTE % version}", go=go)}
    )
    assert [(one.name, one.chart.version) for one in read.releases] == [("a", "1.0.0"), ("b", "2.0.0")]


@pytest.mark.parametrize(
    ("selector", "selected"),
    [
        ("{matchLabels: {env: prod}}", ["a"]),
        ("{matchExpressions: [{key: env, operator: In, values: [prod, test]}]}", ["a", "b"]),
        ("{matchExpressions: [{key: env, operator: NotIn, values: [prod]}]}", ["b", "c"]),
        ("{matchExpressions: [{key: env, operator: Exists}]}", ["a", "b"]),
        ("{matchExpressions: [{key: env, operator: DoesNotExist}]}", ["c"]),
        ("{}", ["a", "b", "c"]),
    ],
)
def test_selectors(selector: str, selected: list[str]) -> None:
    generator = f"""
- list: {{elements: [{{name: a, env: prod}}, {{name: b, env: test}}, {{name: c}}]}}
  selector: {selector}
"""
    template = f"metadata: {{name: '{{{{.name}}}}'}}\n{REMOTE % '1.0.0'}"
    assert names(found({"set.yaml": application_set(generator, template)})) == selected


def test_values_of_a_git_generator() -> None:
    generator = f"""
- git:
    repoURL: {OWN}
    directories: [{{path: apps/prod/db}}]
    values: {{full: 'x-{{{{.path.basename}}}}'}}
"""
    template = f"metadata: {{name: '{{{{.values.full}}}}'}}\n{REMOTE % '1.0.0'}"
    assert names(found({**CHARTS, "set.yaml": application_set(generator, template)})) == ["x-db"]


def test_a_generators_own_template_wins() -> None:
    generator = "- list: {elements: [{name: a}], template: {spec: {source: {targetRevision: 9.9.9}}}}"
    template = f"metadata: {{name: '{{{{.name}}}}'}}\n{REMOTE % '1.0.0'}"
    (release,) = found({"set.yaml": application_set(generator, template)}).releases
    assert str(release.chart) == "https://c.example.com/web 9.9.9"


def test_a_patch_of_the_template() -> None:
    patch = """  templatePatch: |
    metadata: {finalizers: [x]}
    spec:
      project: other
      source:
        helm:
          valueFiles: [{{ range .files }}'{{ . }}',{{ end }}]
      {{- if .auto }}
      syncPolicy: {automated: {prune: true}}
      {{- end }}
"""
    elements = "- {name: a, files: [x.yaml, y.yaml], auto: true}\n- {name: b, files: [], auto: false}"
    read = of_list(elements, f"metadata: {{name: '{{{{.name}}}}'}}\n{REMOTE % '1.0.0'}", more=patch)
    assert [len(release.layers) for release in read.releases] == [2, 0]
    assert [release.controller.prunes for release in read.releases] == [True, None]
    assert [release.controller.deletes for release in read.releases] == [True, True]


def test_what_becomes_of_the_applications() -> None:
    more = "  syncPolicy: {applicationsSync: create-update, preserveResourcesOnDeletion: true}\n"
    (release,) = of_list(
        "- {name: a}", f"metadata: {{name: '{{{{.name}}}}'}}\n{REMOTE % '1.0.0'}", more=more
    ).releases
    assert release.controller.deletes is False
    assert release.controller.remarks[:2] == (
        "the ApplicationSet never deletes Applications",
        "the objects stay when the ApplicationSet drops the Application (preserveResourcesOnDeletion)",
    )


def _values_release(values: str) -> DeclaredRelease:
    template = f"""
metadata: {{name: '{{{{.name}}}}'}}
spec:
  source:
    repoURL: https://c.example.com
    chart: web
    helm:
{indented(values, 6)}
"""
    (release,) = of_list("- {name: a, host: example.com}", template).releases
    return release


def test_values_without_parameters_keep_their_lines() -> None:
    (layer,) = _values_release("valuesObject: {a: 1}").layers
    assert (layer.kind, layer.inside) == (
        "yaml",
        ("spec", "template", "spec", "source", "helm", "valuesObject"),
    )
    (layer,) = _values_release("values: |\n  a: 1\n  host: '{{.host}}'").layers
    assert (layer.kind, layer.text, layer.lines_before) == ("yaml", b"a: 1\nhost: 'example.com'\n", 18)
    (layer,) = _values_release("valuesObject: {host: '{{.host}}', k: 1}").layers
    assert (layer.kind, layer.data, layer.line) == ("data", {"host": "example.com", "k": 1}, 18)
    assert (layer.inside[-1], layer.lines_before) == ("valuesObject", 0)
