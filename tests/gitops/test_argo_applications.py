"""Applications as releases: charts, names, what Argo CD does with them."""

from __future__ import annotations

import pytest

from helmguard.gitops.argo.read_argo import read_argo
from helmguard.gitops.documents import Document, Documents
from helmguard.model.declared_release import FoundReleases, ValuesLayer
from tests.gitops.argo_files import CHART, OWN, application, found, only
from tests.gitops.memory_tree import MemoryTree


def test_a_chart_of_a_repository() -> None:
    release = only(
        {
            "apps/web.yaml": application(
                "repoURL: https://charts.example.com\nchart: web\ntargetRevision: 1.2.3"
            )
        }
    )
    assert release.identity == "Application argocd/web"
    assert (release.tool, release.name, release.namespace) == ("argo", "web", "shop")
    assert str(release.chart) == "https://charts.example.com/web 1.2.3"
    assert (release.chart.kind, str(release.chart.place)) == ("repository", "apps/web.yaml:10")
    assert str(release.place) == "apps/web.yaml:4"
    assert (release.options.is_upgrade, release.options.crds) == (False, "apply")
    assert release.reads == {"apps/web.yaml"}


@pytest.mark.parametrize(
    ("source", "kind", "url", "version", "digest"),
    [
        (
            "repoURL: registry.example.com/charts\nchart: web\ntargetRevision: 1.0.0",
            "oci",
            "oci://registry.example.com/charts/web",
            "1.0.0",
            "",
        ),
        (
            "repoURL: oci://registry.example.com/charts/web\npath: .",
            "oci",
            "oci://registry.example.com/charts/web",
            "",
            "",
        ),
        (
            "repoURL: oci://registry.example.com/web\ntargetRevision: sha256:00ff",
            "oci",
            "oci://registry.example.com/web",
            "",
            "sha256:00ff",
        ),
        (
            "repoURL: https://git.example.com/other.git\npath: web\ntargetRevision: v1\nhelm: {}",
            "git",
            "https://git.example.com/other.git",
            "v1",
            "",
        ),
    ],
)
def test_where_a_chart_comes_from(source: str, kind: str, url: str, version: str, digest: str) -> None:
    chart = only({"web.yaml": application(source)}).chart
    assert (chart.kind, chart.url, chart.version, chart.digest) == (kind, url, version, digest)


@pytest.mark.parametrize(
    "url",
    [
        OWN,
        "https://git.example.com/shop/deploy",
        "git@git.example.com:shop/deploy.git",
        "ssh://git@git.example.com/Shop/Deploy",
        "https://someone@git.example.com/shop/deploy/",
    ],
)
def test_a_folder_of_this_repository(url: str) -> None:
    release = only(
        {**CHART, "web.yaml": application(f"repoURL: {url}\npath: charts/web/\ntargetRevision: HEAD")}
    )
    assert (release.chart.kind, release.chart.path) == ("path", "charts/web")
    assert release.controller.remarks == (
        "Argo CD does not sync it by itself: the change waits until someone syncs the Application",
    )


def test_without_remotes_a_folder_that_is_there_is_taken_and_said() -> None:
    source = "repoURL: https://other.example.com/x\npath: charts/web"
    release = only({**CHART, "web.yaml": application(source)}, remotes=())
    assert release.chart.path == "charts/web"
    assert release.controller.remarks[0] == (
        "no remote of this repository is https://other.example.com/x; charts/web was taken from this tree"
    )


@pytest.mark.parametrize(
    ("revision", "says"),
    [("main", ""), ("HEAD", ""), ("production", "follows production"), ("v1.4.0", "is fixed to v1.4.0")],
)
def test_a_revision_that_is_not_this_tree_is_said(revision: str, says: str) -> None:
    source = f"repoURL: {OWN}\npath: charts/web\ntargetRevision: {revision}"
    remarks = " ".join(only({**CHART, "web.yaml": application(source)}).controller.remarks)
    assert (says in remarks) if says else ("state of this tree" not in remarks)


def test_helm_settings() -> None:
    source = """
repoURL: https://c.example.com
chart: web
helm:
  releaseName: front
  namespace: other
  skipCrds: true
  skipSchemaValidation: true
  kubeVersion: 1.31.0
  apiVersions: [monitoring.coreos.com/v1]
"""
    release = only({"web.yaml": application(source)})
    assert (release.name, release.namespace) == ("front", "other")
    options = release.options
    assert (options.crds, options.skip_schema_validation, options.kube_version, options.api_versions) == (
        "skip",
        True,
        "1.31.0",
        ("monitoring.coreos.com/v1",),
    )
    assert (
        release.controller.remarks[0]
        == "templates see the namespace other; objects that name none go to shop"
    )


def test_helm_2_is_refused() -> None:
    chart = only(
        {"web.yaml": application("repoURL: https://c.example.com\nchart: web\nhelm: {version: v2}")}
    ).chart
    assert (chart.kind, chart.why) == ("unknown", "Argo CD refuses helm version v2, so it renders nothing")


SYNCED = """  syncPolicy:
    automated: {prune: true}
    syncOptions: [ServerSideApply=true, RespectIgnoreDifferences=true]
    retry: {limit: -1}
  ignoreDifferences:
  - {kind: Deployment, name: web, jsonPointers: [/spec/replicas]}
"""


def test_what_argo_cd_does_by_itself() -> None:
    text = application("repoURL: https://c.example.com\nchart: web", SYNCED)
    text = text.replace(
        "  name: web\n", "  name: web\n  finalizers: [resources-finalizer.argocd.argoproj.io/foreground]\n"
    )
    release = only({"web.yaml": text})
    assert release.options.server_side is True
    controller = release.controller
    assert (controller.name, controller.prunes, controller.deletes) == ("Argo CD", True, True)
    assert controller.remarks == (
        "a failed sync is tried again without end",
        "it applies server-side, as field manager argocd-controller",
        "Argo CD sees no difference at /spec/replicas of Deployment web, "
        "and leaves it as it is in the cluster",
    )


@pytest.mark.parametrize(
    ("policy", "prunes"),
    [
        ("", None),
        ("  syncPolicy: {automated: {}}\n", False),
        ("  syncPolicy: {automated: {prune: true, enabled: false}}\n", None),
        ("  syncPolicy: {automated: {prune: true}, syncOptions: [Prune=false]}\n", False),
    ],
)
def test_whether_it_prunes(policy: str, prunes: bool | None) -> None:
    controller = only(
        {"web.yaml": application("repoURL: https://c.example.com\nchart: web", policy)}
    ).controller
    assert (controller.prunes, controller.deletes) == (prunes, False)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("repoURL: https://git.example.com/other.git\npath: x", "whether that is a chart is not known"),
        (f"repoURL: {OWN}\ntargetRevision: main", "its source has neither chart nor path"),
        (f"repoURL: {OWN}\npath: gone", "its source is the folder gone, which is not in the tree"),
        (
            f"repoURL: {OWN}\npath: charts\nplugin: {{name: cdk}}",
            "it is rendered by the plugin cdk, which is not run",
        ),
    ],
)
def test_what_cannot_be_read_is_named(source: str, why: str) -> None:
    read = found({**CHART, "web.yaml": application(source)})
    assert read.releases == ()
    (unknown,) = read.unknown
    assert unknown.what == "web.yaml Application argocd/web"
    assert why in unknown.why


def test_plain_manifests_are_no_release() -> None:
    files = {"plain/a.yaml": "kind: ConfigMap\n", "web.yaml": application(f"repoURL: {OWN}\npath: plain")}
    assert found(files) == FoundReleases()


def test_files_that_are_not_yaml_are_named() -> None:
    read = found({"a.yaml": "kind: Application\nname: {{ x }}: y\n", "b.yaml": "kind: Application\na: [\n"})
    assert [one.what for one in read.unknown] == ["a.yaml", "b.yaml"]
    assert "it has template actions" in read.unknown[0].why


def test_other_kinds_of_application_are_none() -> None:
    assert (
        found({"a.yaml": "apiVersion: app.k8s.io/v1\nkind: Application\nmetadata: {name: x}\n"})
        == FoundReleases()
    )


def test_the_same_name_for_two_clusters_is_told_apart_by_the_file() -> None:
    text = application("repoURL: https://c.example.com\nchart: web")
    read = found({"prod/web.yaml": text, "test/web.yaml": text})
    assert [one.identity for one in read.releases] == [
        "prod/web.yaml › Application argocd/web",
        "test/web.yaml › Application argocd/web",
    ]


def test_several_charts_of_one_application() -> None:
    text = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: all}
spec:
  sources:
  - {repoURL: https://c.example.com, chart: web}
  - {repoURL: https://c.example.com, chart: db}
  - {repoURL: https://c.example.com, chart: db}
"""
    assert [one.identity for one in found({"a.yaml": text}).releases] == [
        "Application all › web",
        "Application all › db",
        "Application all › db (2)",
    ]


def test_applications_that_a_chart_renders() -> None:
    documents = Documents(
        MemoryTree({**CHART, "other.yaml": application("repoURL: x\nchart: y", name="other")})
    )
    body = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "child"},
        "spec": {
            "source": {
                "repoURL": OWN,
                "path": "charts/web",
                "helm": {"values": "a: 1\n", "valuesObject": {"b": 2}},
            },
            "destination": {"namespace": "shop"},
        },
    }
    document = Document(body, "root/templates/x.yaml", rendered_by="chart root", context=("chart root",))
    (release,) = read_argo(documents.made_by([document]), (OWN,)).releases
    assert release.identity == "chart root › Application child"
    assert release.layers == (ValuesLayer("data", "root/templates/x.yaml", data={"b": 2}),)
    assert (release.place.line, release.reads) == (0, frozenset())


def test_items_of_a_list() -> None:
    item = "\n".join(
        f"    {line}" for line in application("repoURL: https://c.example.com\nchart: web").splitlines()
    )
    release = only({"list.yaml": f"apiVersion: v1\nkind: List\nitems:\n  -\n{item}\n"})
    assert release.identity == "Application argocd/web"


def test_overlays_patch_applications() -> None:
    base = application(
        "repoURL: https://c.example.com\nchart: web\ntargetRevision: 1.0.0\nhelm: {valuesObject: {a: 1}}"
    )
    patch = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: argocd}\n"
    files = {
        "base/web.yaml": base,
        "base/kustomization.yaml": "resources: [web.yaml]\n",
        "prod/kustomization.yaml": "resources: [../base]\npatches: [{path: revision.yaml}]\n",
        "prod/revision.yaml": f"{patch}spec: {{source: {{targetRevision: 2.0.0}}}}\n",
    }
    release = only(files)
    assert (release.identity, release.chart.version) == ("Application argocd/web", "2.0.0")
    assert (release.layers[0].kind, release.layers[0].inside[-1]) == ("yaml", "valuesObject")
    files["test/kustomization.yaml"] = "resources: [../base]\nnamespace: test\n"
    read = found(files)
    assert read.unknown == ()
    assert [(one.identity, one.chart.version) for one in read.releases] == [
        ("Kustomization prod › Application argocd/web", "2.0.0"),
        ("Kustomization test › Application test/web", "1.0.0"),
    ]
