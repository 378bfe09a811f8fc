"""Charts that kustomizations render."""

from __future__ import annotations

import pytest

from helmguard.gitops.argo.read_argo import read_argo
from helmguard.gitops.documents import Documents
from helmguard.gitops.kustomize_charts import read_kustomize_charts
from helmguard.model.declared_release import DeclaredRelease, FoundReleases
from tests.gitops.memory_tree import MemoryTree

OWN = "https://git.example.com/shop/deploy.git"


def found(files: dict[str, str], used: tuple[str, ...] = ()) -> FoundReleases:
    return read_kustomize_charts(Documents(MemoryTree(files)), used)


def only(files: dict[str, str]) -> DeclaredRelease:
    read = found(files)
    assert read.unknown == ()
    (release,) = read.releases
    return release


def charts(entry: str, more: str = "") -> str:
    lines = "\n".join(f"  {line}" for line in entry.strip().splitlines())
    return f"kind: Kustomization\nhelmCharts:\n-\n{lines}\n{more}"


WEB = "name: web\nrepo: https://c.example.com\nversion: 1.2.3\nreleaseName: front\n"


def test_a_chart_of_a_repository() -> None:
    release = only(
        {"web/kustomization.yaml": charts(WEB + "namespace: shop\nincludeCRDs: true\nskipHooks: true")}
    )
    assert (release.tool, release.identity) == ("kustomize", "Kustomization web › front")
    assert (release.name, release.namespace) == ("front", "shop")
    assert str(release.chart) == "https://c.example.com/web 1.2.3"
    assert str(release.chart.place) == "web/kustomization.yaml:6"
    options = release.options
    assert (options.crds, options.disable_hooks, options.is_upgrade) == ("apply", True, False)
    assert (release.controller.name, release.controller.prunes) == ("kustomize", None)
    assert release.reads == {"web/kustomization.yaml"}


def test_a_chart_of_a_registry() -> None:
    entry = "name: web\nrepo: oci://r.example.com/charts/\ndigest: sha256:00ff\n"
    entry += "kubeVersion: 1.30.0\napiVersions: [a/v1]"
    release = only({"web/kustomization.yaml": charts(entry)})
    assert (release.chart.kind, release.chart.url) == ("oci", "oci://r.example.com/charts/web")
    assert (release.chart.digest, release.options.crds) == ("sha256:00ff", "skip")
    assert (release.options.kube_version, release.options.api_versions) == ("1.30.0", ("a/v1",))
    assert release.controller.remarks[0].startswith("it has no releaseName")


@pytest.mark.parametrize(
    ("folder", "more"),
    [
        ("web/charts/web", ""),
        ("web/charts/web-1.2.3/web", ""),
        ("vendor/web", "helmGlobals: {chartHome: ../vendor}\n"),
    ],
)
def test_a_chart_that_is_there_is_used(folder: str, more: str) -> None:
    release = only({"web/kustomization.yaml": charts(WEB, more), f"{folder}/Chart.yaml": "name: web\n"})
    assert (release.chart.kind, release.chart.path) == ("path", folder)


def test_a_chart_without_a_place_is_unknown() -> None:
    chart = only({"web/kustomization.yaml": charts("name: web")}).chart
    assert (chart.kind, chart.why) == ("unknown", "web has no repo, and web/charts/web is not in the tree")


@pytest.mark.parametrize(
    ("entry", "sources"),
    [
        ("valuesFile: v.yaml", ["v.yaml"]),
        ("valuesFile: v.yaml\nvaluesInline: {a: 1}", ["v.yaml", "inline"]),
        ("valuesFile: v.yaml\nvaluesInline: {a: 1}\nvaluesMerge: override", ["v.yaml", "inline"]),
        ("valuesFile: v.yaml\nvaluesInline: {a: 1}\nvaluesMerge: merge", ["inline", "v.yaml"]),
        ("valuesFile: v.yaml\nvaluesInline: {a: 1}\nvaluesMerge: replace", ["inline"]),
        ("valuesInline: {a: 1}\nadditionalValuesFiles: [w.yaml]", ["inline", "w.yaml"]),
        ("valuesInline: {a: 1}\nvaluesMerge: merge", ["unknown"]),
        ("valuesFile: none.yaml", ["unknown"]),
        ("additionalValuesFiles: ['https://example.com/x.yaml?token=1']", ["unknown"]),
    ],
)
def test_values_in_their_order(entry: str, sources: list[str]) -> None:
    files = {"web/kustomization.yaml": charts(WEB + entry), "web/v.yaml": "a: 2\n", "web/w.yaml": "a: 3\n"}
    shown = {"web/v.yaml": "v.yaml", "web/w.yaml": "w.yaml", "web/kustomization.yaml": "inline"}
    layers = only(files).layers
    assert ["unknown" if one.kind == "unknown" else shown[one.source] for one in layers] == sources


def test_inline_values_keep_their_lines() -> None:
    (layer,) = only({"web/kustomization.yaml": charts(WEB + "valuesInline:\n  a: 1\n  b: {c: 2}")}).layers
    assert (layer.kind, layer.text, layer.lines_before) == ("yaml", b"    a: 1\n    b: {c: 2}\n", 8)


def test_what_kustomizations_do_after_rendering() -> None:
    base = charts(
        WEB,
        "namespace: base\npatches:\n- path: patch.yaml\n  target: {kind: Deployment}\n"
        "images:\n- {name: nginx, newTag: '2'}\ncommonAnnotations: {a: b}\n",
    )
    files = {
        "base/kustomization.yaml": base,
        "base/patch.yaml": "- {op: remove, path: /spec/replicas}\n",
        "prod/kustomization.yaml": "resources: [../base]\nnamespace: prod\nnamePrefix: p-\n"
        "patches:\n- patch: 'kind: Deployment'\n",
    }
    release = only(files)
    assert (release.identity, release.namespace) == ("Kustomization prod › front", "prod")
    first, annotations, second = release.options.post_renderers
    assert first["kustomize"] == {
        "patches": [{"patch": "- {op: remove, path: /spec/replicas}\n", "target": {"kind": "Deployment"}}],
        "images": [{"name": "nginx", "newTag": "2"}],
    }
    assert annotations == {"commonMetadata": {"annotations": {"a": "b"}}}
    assert second["kustomize"]["patches"] == [{"patch": "kind: Deployment"}]
    assert release.options.post_renderer_unknown == (
        "what kustomize does after rendering is not worked out: prod/kustomization.yaml: namePrefix"
    )
    assert release.reads == {"base/kustomization.yaml", "base/patch.yaml", "prod/kustomization.yaml"}
    assert "kustomize moves the objects to prod" in release.controller.remarks[0]


def test_components_and_old_fields() -> None:
    old = "helmChartInflationGenerator:\n- {chartName: old, chartRepoUrl: http://c.io, chartVersion: 1.0.0}\n"
    generator = (
        "kind: HelmChartInflationGenerator\nmetadata: {name: x}\nname: gen\nrepo: https://c.example.com\n"
    )
    files = {
        "app/kustomization.yaml": "components: [../part]\ngenerators: [gen.yaml]\n",
        "app/gen.yaml": generator,
        "part/kustomization.yaml": f"kind: Component\n{old}",
    }
    read = found(files)
    assert [(one.identity, one.chart.version) for one in read.releases] == [
        ("Kustomization app › gen", ""),
        ("Kustomization app › old", "1.0.0"),
    ]


def test_circles_and_broken_files_are_no_end() -> None:
    files = {
        "a/kustomization.yaml": charts(WEB, "resources: [../b]\n"),
        "b/kustomization.yaml": "resources: [../a]\n",
        "c/kustomization.yaml": "helmCharts: [\n",
    }
    assert [one.what for one in found(files).unknown] == ["c/kustomization.yaml"]


def test_an_application_builds_its_kustomization() -> None:
    files = {
        "web/kustomization.yaml": charts(WEB),
        "set.yaml": f"""apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {{name: all}}
spec:
  goTemplate: true
  generators: [{{git: {{repoURL: {OWN}, directories: [{{path: web}}]}}}}]
  template:
    metadata: {{name: '{{{{.path.basename}}}}'}}
    spec:
      source: {{repoURL: {OWN}, path: '{{{{.path.path}}}}'}}
      destination: {{namespace: shop}}
""",
    }
    documents = Documents(MemoryTree(files))
    (release,) = read_argo(documents, (OWN,)).releases
    assert release.identity == "ApplicationSet all › Application web › front"
    assert (release.tool, release.namespace, release.controller.name) == ("argo", "shop", "Argo CD")
    assert release.reads == {"set.yaml", "web/kustomization.yaml"}
    assert read_kustomize_charts(documents, release.reads) == FoundReleases()


@pytest.mark.parametrize("value", ["true", "3", "x", "{a: 1}", "[[], {}, 3]", "null"])
def test_fields_of_another_kind_are_passed_over(value: str) -> None:
    fields = ("resources", "components", "generators", "patches", "images", "labels", "helmGlobals")
    entry = f"{WEB}apiVersions: {value}\nadditionalValuesFiles: {value}\nvaluesInline: {value}\n"
    for field in fields:
        read = found({"web/kustomization.yaml": charts(entry, f"{field}: {value}\n")})
        assert [release.name for release in read.releases] == ["front"]
