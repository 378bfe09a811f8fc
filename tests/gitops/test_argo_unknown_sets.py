"""ApplicationSets of which only the cluster knows all, and those that Argo CD refuses."""

from __future__ import annotations

import pytest

from helmguard.model.declared_release import FoundReleases
from tests.gitops.argo_files import CHARTS, REMOTE, application_set, found, of_list


def why(read: FoundReleases) -> str:
    assert read.releases == ()
    (unknown,) = read.unknown
    assert unknown.what == "set.yaml ApplicationSet argocd/all"
    return unknown.why


PLUGIN = "- plugin: {configMapRef: {name: vars}}"
CLUSTERS = "- clusters: {selector: {matchLabels: {env: prod}}, values: {v: 1.2.3}}"


def test_what_only_the_cluster_knows_is_a_placeholder() -> None:
    template = """
metadata: {name: web}
spec:
  source:
    repoURL: https://c.example.com
    chart: web
    targetRevision: 1.0.0
    helm: {valuesObject: {host: '{{ .host | lower }}', b: '{{ index . "b" }}'}}
"""
    read = found({"set.yaml": application_set(PLUGIN, template)})
    (release,) = read.releases
    assert (release.chart.version, release.layers[0].data) == (
        "1.0.0",
        {"host": "<host_lower>", "b": "<index_._b>"},
    )
    assert [one.why for one in release.unknown] == [
        "its parameters come from the plugin generator vars, a service in the cluster; "
        'a placeholder stands for {{ .host | lower }}, {{ index . "b" }}'
    ]


@pytest.mark.parametrize(("go", "dot"), [(True, "."), (False, "")])
def test_one_release_stands_for_those_of_all_clusters(go: bool, dot: str) -> None:
    template = f"""
metadata: {{name: '{{{{{dot}name}}}}-web'}}
spec:
  source: {{repoURL: https://c.example.com, chart: web, targetRevision: '{{{{{dot}values.v}}}}'}}
  destination: {{namespace: '{{{{{dot}metadata.labels.ns}}}}'}}
"""
    (release,) = found({"set.yaml": application_set(CLUSTERS, template, go=go)}).releases
    assert (release.name, release.namespace) == ("name-web", "metadata.labels.ns")
    assert release.chart.version == "1.2.3"
    assert "the cluster generator makes it for each cluster that Argo CD knows" in release.unknown[0].why
    assert "whose labels are env=prod" in release.unknown[0].why


@pytest.mark.parametrize(
    ("generators", "template", "says"),
    [
        (
            CLUSTERS,
            "metadata: {name: x}\nspec: {source: {repoURL: '{{.url}}', path: x}}",
            "the cluster generator",
        ),
        (
            "- scmProvider: {}",
            "metadata: {name: x}\nspec: {source: {repoURL: '{{.url}}', path: x}}",
            "the git host",
        ),
        (PLUGIN, f"metadata: {{name: x}}\n{REMOTE % '{{ if .a }}1{{ end }}'}", "the plugin generator vars"),
        (
            "- git: {repoURL: https://other.example.com/x, directories: [{path: '*'}]}",
            "",
            "reads another repository",
        ),
        (
            "- list: {elements: [{name: a}]}",
            f"metadata: {{name: '{{{{.nope}}}}'}}\n{REMOTE % '1'}",
            "no parameter .nope",
        ),
        (
            "- list: {elements: [{name: a}]}",
            f"metadata: {{name: '{{{{env \"x\"}}}}'}}\n{REMOTE % '1'}",
            "function env",
        ),
        (
            "- list: {elements: [{n: a}, {n: b}]}",
            f"metadata: {{name: x}}\n{REMOTE % '1'}",
            "two Applications are called x",
        ),
        ("- new: {}", "", "of no known kind: new"),
        ("- matrix: {generators: [{list: {elements: []}}]}", "", "joins 1 others"),
        ("- merge: {generators: [{list: {elements: []}}, {list: {elements: []}}]}", "", "no mergeKeys"),
    ],
)
def test_a_set_that_is_not_expanded_is_named_once(generators: str, template: str, says: str) -> None:
    assert says in why(found({**CHARTS, "set.yaml": application_set(generators, template)}))


def test_numbers_of_a_list_without_go_templates_are_refused() -> None:
    assert "port is no text" in why(
        of_list("- {port: 80}", f"metadata: {{name: x}}\n{REMOTE % '1'}", go=False)
    )
