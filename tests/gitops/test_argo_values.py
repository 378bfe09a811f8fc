"""The values of Applications, in their precedence."""

from __future__ import annotations

import pytest

from helmguard.model.declared_release import DeclaredRelease
from tests.gitops.argo_files import CHART, OWN, application, only


def layers(release: DeclaredRelease) -> list[tuple[str, str]]:
    return [(layer.kind, layer.word or layer.source) for layer in release.layers]


def test_values_in_the_order_of_their_precedence() -> None:
    source = f"""
repoURL: {OWN}
path: charts/web
helm:
  fileParameters:
  - {{name: config, path: files/config.txt}}
  parameters:
  - {{name: a, value: "1,2"}}
  - {{name: b, value: "007", forceString: true}}
  - {{name: c, value: "{{x,y}}"}}
  - {{name: a, value: $ARGOCD_APP_NAME}}
  valuesObject: {{d: 4}}
  values: "ignored: true"
  valueFiles: [values-prod.yaml, /shared/common.yaml]
"""
    files = {
        **CHART,
        "charts/web/values-prod.yaml": "a: 2\n",
        "charts/web/files/config.txt": "text",
        "shared/common.yaml": "a: 3\n",
        "web.yaml": application(source),
    }
    release = only(files)
    assert layers(release) == [
        ("yaml", "charts/web/values-prod.yaml"),
        ("yaml", "shared/common.yaml"),
        ("yaml", "web.yaml"),
        ("set", "a=web"),
        ("set", "c={x,y}"),
        ("set-string", "b=007"),
        ("set-file", "config=charts/web/files/config.txt"),
    ]
    assert release.layers[2].inside == ("spec", "source", "helm", "valuesObject")
    assert release.layers[-1].text == b"text"
    assert "it has valuesObject and values: Argo CD takes valuesObject alone" in release.controller.remarks


def test_a_comma_of_a_parameter_is_no_separator() -> None:
    source = (
        "repoURL: https://c.example.com\nchart: web\nhelm:\n  parameters:\n  - {name: a, value: 'x,y\\,z'}"
    )
    assert layers(only({"web.yaml": application(source)})) == [("set", r"a=x\,y\,z")]


def test_a_text_of_values_keeps_its_lines() -> None:
    source = "repoURL: https://c.example.com\nchart: web\nhelm:\n  values: |\n    a:\n      b: 1\n"
    (layer,) = only({"web.yaml": "---\n# first\n---\n" + application(source)}).layers
    assert (layer.kind, layer.text, layer.lines_before) == ("yaml", b"a:\n  b: 1\n", 14)


def test_a_quoted_text_of_values_is_data() -> None:
    source = 'repoURL: https://c.example.com\nchart: web\nhelm:\n  values: "a: {b: 1}"'
    (layer,) = only({"web.yaml": application(source)}).layers
    assert (layer.kind, layer.data, layer.line) == ("data", {"a": {"b": 1}}, 11)


@pytest.mark.parametrize(
    ("values", "why"), [("'a: ['", "the values are not YAML"), ("'- a'", "the values are no map")]
)
def test_a_text_that_holds_no_values_is_unknown(values: str, why: str) -> None:
    source = f"repoURL: https://c.example.com\nchart: web\nhelm:\n  values: {values}"
    (layer,) = only({"web.yaml": application(source)}).layers
    assert layer.kind == "unknown"
    assert layer.why.startswith(why)


SEVERAL = f"""apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web
spec:
  sources:
  - repoURL: https://charts.example.com
    chart: web
    targetRevision: 1.2.3
    helm:
      ignoreMissingValueFiles: IGNORE
      valueFiles:
      - $values/env/prod.yaml
      - $values/env/none.yaml
      - $other/x.yaml
      - inside.yaml
      valuesObject:
        # how many
        replicas: 2
        more: {{a: 1}}
  - repoURL: {OWN}
    ref: values
  - repoURL: https://git.example.com/other.git
    ref: other
  destination: {{namespace: shop}}
"""


@pytest.mark.parametrize(("ignored", "kinds"), [("true", 4), ("false", 5)])
def test_values_of_another_source(ignored: str, kinds: int) -> None:
    release = only({"web.yaml": SEVERAL.replace("IGNORE", ignored), "env/prod.yaml": "a: 1\n"})
    assert [layer.why for layer in release.layers if layer.kind == "unknown"] == [
        *(
            ["env/none.yaml is not in the tree, so Argo CD cannot render the Application"]
            if kinds == 5
            else []
        ),
        "x.yaml is in another repository, https://git.example.com/other.git",
        "inside.yaml is a file inside the chart web",
    ]
    assert (release.layers[0].kind, release.layers[0].source) == ("yaml", "env/prod.yaml")
    last = release.layers[-1]
    assert last.lines_before == 18
    assert last.text == b"        replicas: 2\n        more: {a: 1}\n"


def test_patterns_of_value_files() -> None:
    source = f"""
repoURL: {OWN}
path: charts/web
helm:
  valueFiles: [/env/*.yaml, "/env/**/*.yaml", /env/b.yaml]
"""
    files = dict.fromkeys(("env/a.yaml", "env/b.yaml", "env/z.yaml", "env/n/c.yaml", "env/x.txt"), "a: 1\n")
    release = only({**CHART, **files, "web.yaml": application(source)})
    assert [layer.source for layer in release.layers] == [
        "env/a.yaml",
        "env/z.yaml",
        "env/n/c.yaml",
        "env/b.yaml",
    ]


def test_a_pattern_that_matches_nothing_is_unknown() -> None:
    source = f"repoURL: {OWN}\npath: charts/web\nhelm:\n  valueFiles: [none/*.yaml]"
    (layer,) = only({**CHART, "web.yaml": application(source)}).layers
    assert (layer.kind, layer.why) == (
        "unknown",
        "no file matches none/*.yaml, so Argo CD cannot render the Application",
    )


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "https://example.com/values.yaml?token=x",
            "https://example.com/values.yaml is outside the repository",
        ),
        ("secrets://values.yaml", "secrets://values.yaml is outside the repository"),
        ("../../../etc/passwd", "../../../etc/passwd leads out of the repository"),
        (
            "env/$ARGOCD_APP_REVISION.yaml",
            "its path holds ARGOCD_APP_REVISION, which is the commit that Argo CD syncs",
        ),
    ],
)
def test_value_files_that_are_not_here(name: str, why: str) -> None:
    source = f"repoURL: {OWN}\npath: charts/web\nhelm:\n  valueFiles: ['{name}']"
    (layer,) = only({**CHART, "web.yaml": application(source)}).layers
    assert (layer.kind, layer.why) == ("unknown", why)
    assert "token" not in layer.source.partition("?")[0]


def test_overrides_beside_the_chart() -> None:
    files = {
        **CHART,
        "charts/web/.argocd-source.yaml": "helm:\n  parameters:\n  - {name: image.tag, value: v1}\n",
        "charts/web/.argocd-source-web.yaml": (
            "path: evil\nhelm:\n  parameters:\n  - {name: image.tag, value: v2}\n"
        ),
        "web.yaml": application(f"repoURL: {OWN}\npath: charts/web\nhelm:\n  releaseName: kept"),
    }
    release = only(files)
    assert (release.name, release.chart.path) == ("kept", "charts/web")
    (layer,) = release.layers
    assert (layer.word, layer.source) == ("image.tag=v2", "charts/web/.argocd-source-web.yaml")
    assert {"charts/web/.argocd-source.yaml", "charts/web/.argocd-source-web.yaml"} < release.reads
