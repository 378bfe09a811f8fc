"""Charts of a tree that nothing in it installs."""

from __future__ import annotations

import pytest
from memory_tree import MemoryTree

from helmguard.gitops.chart_releases import read_chart_releases
from helmguard.gitops.documents import Documents
from helmguard.model.declared_release import DeclaredRelease, FileLine


def chart(name: str, more: str = "") -> str:
    return f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n{more}"


def found(files: dict[str, str], *used: str) -> list[DeclaredRelease]:
    releases = read_chart_releases(Documents(MemoryTree(files)), frozenset(used))
    assert releases.unknown == ()
    return list(releases.releases)


def identities(files: dict[str, str], *used: str) -> list[str]:
    return [each.identity for each in found(files, *used)]


WEB = {"charts/web/Chart.yaml": chart("web"), "charts/web/values.yaml": "a: 1\n"}


def test_a_chart_alone_is_a_release_with_its_own_values() -> None:
    (release,) = found(WEB)
    assert (release.tool, release.identity) == ("chart", "chart charts/web")
    assert (release.name, release.namespace) == ("web", "default")
    assert (release.chart.kind, release.chart.path) == ("path", "charts/web")
    assert release.place == FileLine("charts/web/Chart.yaml", 1)
    assert release.layers == ()
    assert (release.controller.name, release.controller.deletes) == ("helm", False)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("ci/ingress-values.yaml", "ci/ingress"),
        ("ci/ingress-values.yml", "ci/ingress"),
        ("values-production.yaml", "production"),
        ("values.production.yaml", "production"),
        ("values_production.yml", "production"),
        ("production.values.yaml", "production"),
        ("values-eu-west.yaml", "eu-west"),
        ("environments/production.yaml", "environments/production"),
        ("environments/production/values.yaml", "environments/production"),
        ("environments/eu/production.yaml", "environments/eu/production"),
        ("env/production.yaml", "env/production"),
        ("values/production.yaml", "values/production"),
    ],
)
def test_a_file_of_values_beside_the_chart_is_a_release(file: str, name: str) -> None:
    (release,) = found(WEB | {f"charts/web/{file}": "a: 2\n"})
    assert release.identity == f"chart charts/web ({name})"
    assert release.place == FileLine(f"charts/web/{file}", 1)
    (layer,) = release.layers
    assert (layer.kind, layer.source, layer.text) == ("yaml", f"charts/web/{file}", b"a: 2\n")


@pytest.mark.parametrize(
    "file",
    [
        "ci/hostAliases.yml",
        "ci/folder/x-values.json",
        "stack-values-production.yaml",
        "values.schema.json",
        "values.schema.yaml",
        "values.example.yaml",
        "templates/values-production.yaml",
        "values-production.yaml.gotmpl",
        "files/values-production.yaml",
    ],
)
def test_other_files_are_no_releases(file: str) -> None:
    assert identities(WEB | {f"charts/web/{file}": "a: 2\n"}) == ["chart charts/web"]


def test_objects_of_kubernetes_are_no_values() -> None:
    files = WEB | {"charts/web/environments/a.yaml": "apiVersion: v1\nkind: ConfigMap\n"}
    assert identities(files) == ["chart charts/web"]
    files["charts/web/environments/b.yaml"] = "kind: daemon\n"
    assert identities(files) == ["chart charts/web (environments/b)"]


def test_values_for_tests_that_are_a_link_to_others_are_given_once() -> None:
    files = WEB | {
        "charts/web/ci/production-values.yaml": "a: 2\n",
        "charts/web/values-production.yaml": "a: 2\n",
    }
    assert identities(files) == ["chart charts/web (production)"]
    files["charts/web/ci/production-values.yaml"] = "a: 3\n"
    assert identities(files) == ["chart charts/web (ci/production)", "chart charts/web (production)"]


def test_of_a_chart_in_use_only_values_that_nobody_reads_are_given() -> None:
    files = WEB | {
        "charts/web/ci/ingress-values.yaml": "",
        "charts/web/values-production.yaml": "",
        "charts/web/values-staging.yaml": "",
    }
    assert identities(WEB, "charts/web") == []
    used = ("charts/web", "charts/web/values-production.yaml")
    assert identities(files, *used) == ["chart charts/web (staging)"]


def test_libraries_and_charts_inside_others_are_none() -> None:
    files = {
        "lib/Chart.yaml": chart("lib", "type: library\n"),
        "app/Chart.yaml": chart("app", "dependencies:\n- {name: part, repository: file://../part}\n"),
        "app/charts/sub/Chart.yaml": chart("sub"),
        "part/Chart.yaml": chart("part"),
    }
    assert identities(files) == ["chart app"]
    files["part/ci/a-values.yaml"] = ""
    assert identities(files) == ["chart app", "chart part (ci/a)"]


def test_a_chart_at_the_root() -> None:
    (release,) = found({"Chart.yaml": chart("web"), "ci/a-values.yaml": ""})
    assert (release.identity, release.chart.path) == ("chart web (ci/a)", "")


@pytest.mark.parametrize(
    ("name", "release"),
    [("Web_App", "web-app"), ("web.v2", "web-v2"), ("-", "release"), ("a" * 60, "a" * 53)],
)
def test_the_release_has_a_name_that_helm_takes(name: str, release: str) -> None:
    assert found({"c/Chart.yaml": f'name: "{name}"\n'})[0].name == release


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name: [\n", "not YAML: line 2: "),
        ("name: {{ name }}\n", "the chart is a template for charts: Chart.yaml has placeholders"),
        ("version: 1\n", "the chart has no name"),
        ("- a\n", "the chart has no name"),
    ],
)
def test_a_chart_that_cannot_be_read_is_named(text: str, why: str) -> None:
    files = WEB | {"bad/Chart.yaml": text}
    read = read_chart_releases(Documents(MemoryTree(files)), frozenset())
    assert [each.identity for each in read.releases] == ["chart charts/web"]
    (unknown,) = read.unknown
    assert unknown.what == "bad/Chart.yaml chart"
    assert unknown.why.startswith(why)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("a: ENC[AES256_GCM,data:x]\nsops:\n  mac: x\n", "is encrypted by SOPS"),
        ('{\n"a": "ENC[AES256_GCM,data:x]",\n\t"sops": {"mac": "x"}}\n', "is encrypted by SOPS"),
        ("$ANSIBLE_VAULT;1.1;AES256\n", "is encrypted by Ansible Vault"),
        ("\0GITCRYPT\0xx", "is encrypted by git-crypt"),
        ("version https://git-lfs.github.com/spec/v1\n", "is a Git LFS pointer"),
    ],
)
def test_values_that_cannot_be_read_are_unknown(data: str, why: str) -> None:
    (release,) = found(WEB | {"charts/web/values-production.yaml": data})
    (layer,) = release.layers
    assert (layer.kind, layer.text) == ("unknown", b"")
    assert layer.why.startswith(f"charts/web/values-production.yaml {why}")


def test_values_that_speak_of_sops_are_no_secret() -> None:
    (release,) = found(WEB | {"charts/web/values-production.yaml": "sops: {enabled: true}\n"})
    assert release.layers[0].kind == "yaml"
