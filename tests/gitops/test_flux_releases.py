"""HelmReleases as the Flux Kustomizations of a tree make them."""

from __future__ import annotations

import pytest
from memory_tree import MemoryTree

from helmguard.gitops.documents import Documents
from helmguard.gitops.flux.read_flux import read_flux
from helmguard.model.declared_release import ChartNeed, DeclaredRelease, FileLine, FoundReleases

CLUSTER = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: cluster
  namespace: flux-system
spec:
  path: ./apps
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
"""
WEB = """\
---
# the shop
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: web
spec:
  chartRef:
    kind: OCIRepository
    name: web
  values:
    replicas: 2
"""
WEB_CHART = """\
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata:
  name: web
spec:
  url: oci://registry.example.com/charts/web
  ref:
    tag: 1.2.3
"""
FILES = {
    "flux/cluster.yaml": CLUSTER,
    "apps/kustomization.yaml": "resources:\n  - shop\n",
    "apps/shop/kustomization.yaml": "namespace: shop\nresources:\n  - web.yaml\n  - chart.yaml\n",
    "apps/shop/web.yaml": WEB,
    "apps/shop/chart.yaml": WEB_CHART,
}


def read(files: dict[str, str]) -> FoundReleases:
    return read_flux(Documents(MemoryTree(files)))


def only(files: dict[str, str]) -> DeclaredRelease:
    found = read(files)
    assert found.unknown == ()
    (release,) = found.releases
    return release


def test_namespace_chart_and_values_come_from_their_own_files() -> None:
    release = only(FILES)
    assert release.identity == "apps › HelmRelease shop/web"
    assert (release.tool, release.name, release.namespace) == ("flux", "web", "shop")
    assert release.place == FileLine("apps/shop/web.yaml", 3)
    assert release.chart == ChartNeed(
        "oci",
        url="oci://registry.example.com/charts/web",
        version="1.2.3",
        place=FileLine("apps/shop/chart.yaml", 9),
    )
    (layer,) = release.layers
    assert (layer.kind, layer.source, layer.inside) == ("yaml", "apps/shop/web.yaml", ("spec", "values"))
    assert release.reads == frozenset(FILES)
    assert release.unknown == ()


def with_release(spec: str, **files: str) -> dict[str, str]:
    """The files with another spec for the release, and with more files."""
    head, _, _ = WEB.partition("spec:\n")
    return {**FILES, "apps/shop/web.yaml": head + "spec:\n" + spec, **files}


def chart_of(spec: str, source: str) -> ChartNeed:
    return only(with_release(spec, **{"apps/shop/chart.yaml": source})).chart


PRUNE = "kustomize.toolkit.fluxcd.io/prune"
HELM_REPOSITORY = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {{name: charts}}
spec: {spec}
"""
CHART_SPEC = """\
  chart:
    spec:
      chart: web
      version: %s
      sourceRef: {kind: HelmRepository, name: charts}
"""


def test_chart_of_a_repository() -> None:
    source = HELM_REPOSITORY.format(spec="{url: 'https://charts.example.com'}")
    chart = chart_of(CHART_SPEC % "1.x", source)
    assert (chart.kind, chart.url, chart.name, chart.version) == (
        "repository",
        "https://charts.example.com",
        "web",
        "1.x",
    )
    assert chart.place == FileLine("apps/shop/web.yaml", 11)
    assert chart_of(CHART_SPEC % "'*'", source).version == ""


@pytest.mark.parametrize("spec", ["{url: 'oci://example.com/c/'}", "{type: oci, url: 'oci://example.com/c'}"])
def test_chart_of_an_oci_repository(spec: str) -> None:
    chart = chart_of(CHART_SPEC % "1.0.0", HELM_REPOSITORY.format(spec=spec))
    assert (chart.kind, chart.url, chart.version) == ("oci", "oci://example.com/c/web", "1.0.0")


@pytest.mark.parametrize(
    ("reference", "version", "digest"),
    [
        ("{tag: 1.2.3}", "1.2.3", ""),
        ("{semver: '>=1'}", ">=1", ""),
        ("{tag: 1.2.3, semver: '>=1'}", ">=1", ""),
        ("{tag: 1.2.3, digest: 'sha256:ab'}", "1.2.3", "sha256:ab"),
        ("{digest: 'sha256:ab'}", "", "sha256:ab"),
        ("{}", "latest", ""),
    ],
)
def test_digest_before_range_before_tag(reference: str, version: str, digest: str) -> None:
    source = WEB_CHART.partition("  ref:")[0] + f"  ref: {reference}\n"
    chart = only({**FILES, "apps/shop/chart.yaml": source}).chart
    assert (chart.version, chart.digest) == (version, digest)


def test_the_chart_s_place_is_that_of_what_counts() -> None:
    source = WEB_CHART + "    digest: sha256:ab\n"
    assert only({**FILES, "apps/shop/chart.yaml": source}).chart.place == FileLine("apps/shop/chart.yaml", 10)


def test_chart_of_the_repository_itself() -> None:
    spec = "  chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: flux-system}}}\n"
    files = with_release(spec, **{"charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n"})
    chart = only(files).chart
    assert (chart.kind, chart.path) == ("path", "charts/web")


def test_chart_of_another_git_repository() -> None:
    spec = "  chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: other}}}\n"
    source = (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: other}\n"
        "spec: {url: 'https://git.example.com/other', ref: {branch: main, tag: v1}}\n"
    )
    chart = chart_of(spec, source)
    assert (chart.kind, chart.url, chart.path, chart.version) == (
        "git",
        "https://git.example.com/other",
        "charts/web",
        "v1",
    )


def test_chart_by_helm_chart() -> None:
    source = (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmChart\nmetadata: {name: web}\n"
        "spec: {chart: web, version: 1.0.0, sourceRef: {kind: HelmRepository, name: charts}}\n---\n"
    ) + HELM_REPOSITORY.format(spec="{url: 'https://charts.example.com'}")
    chart = chart_of("  chartRef: {kind: HelmChart, name: web}\n", source)
    assert (chart.kind, chart.name, chart.version) == ("repository", "web", "1.0.0")


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (
            "  chartRef: {kind: OCIRepository, name: gone}\n",
            "OCIRepository shop/gone is not in the repository",
        ),
        ("  chartRef: {kind: Bucket, name: b}\n", "a chartRef to a Bucket is not read"),
        (CHART_SPEC % "1", "HelmRepository shop/charts is not in the repository"),
        ("  interval: 1h\n", "the HelmRelease has neither chart nor chartRef"),
    ],
)
def test_charts_that_are_not_known(spec: str, why: str) -> None:
    chart = only(with_release(spec)).chart
    assert (chart.kind, chart.why) == ("unknown", why)


@pytest.mark.parametrize(
    ("spec", "name", "namespace"),
    [
        ("  releaseName: other\n", "other", "shop"),
        ("  targetNamespace: far\n", "far-web", "far"),
        ("  targetNamespace: far\n  releaseName: other\n", "other", "far"),
        (
            "  targetNamespace: some-very-long-namespace-name-that-goes-on-and-on-and-on\n",
            "some-very-long-namespace-name-that-goes--798916a8510d",
            "some-very-long-namespace-name-that-goes-on-and-on-and-on",
        ),
    ],
)
def test_release_names(spec: str, name: str, namespace: str) -> None:
    release = only(with_release("  chartRef: {kind: OCIRepository, name: web}\n" + spec))
    assert (release.name, release.namespace) == (name, namespace)


@pytest.mark.parametrize(
    ("spec", "stored"), [("  targetNamespace: far\n", "shop"), ("  storageNamespace: records\n", "records")]
)
def test_revisions_are_stored_beside_the_helm_release(spec: str, stored: str) -> None:
    assert only(with_release(spec)).storage_namespace == stored


CLUSTER_WIDE = (
    CLUSTER
    + """\
  patches:
    - patch: |
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata: {name: _}
        spec:
          patches:
            - patch: |
                apiVersion: helm.toolkit.fluxcd.io/v2
                kind: HelmRelease
                metadata: {name: _}
                spec:
                  upgrade:
                    crds: CreateReplace
                    remediation: {retries: 2}
              target: {group: helm.toolkit.fluxcd.io, kind: HelmRelease}
      target: {group: kustomize.toolkit.fluxcd.io, kind: Kustomization}
"""
)
INNER = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec:
  path: ./shop
  targetNamespace: shop
  suspend: true
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild:
    substitute: {SIZE: "3"}
    substituteFrom:
      - {kind: ConfigMap, name: settings}
      - {kind: Secret, name: secrets}
"""
SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: flux-system}
data: {HOST: web.example.com, SIZE: "1"}
"""
TWO_LEVELS = {
    "flux/cluster.yaml": CLUSTER_WIDE,
    "apps/shop.yaml": INNER,
    "apps/settings.yaml": SETTINGS,
    "shop/web.yaml": WEB.replace("replicas: 2", "replicas: ${SIZE}\n    host: ${HOST}\n    key: ${KEY}"),
    "shop/chart.yaml": WEB_CHART,
}


def test_patches_through_two_levels_and_variables() -> None:
    release = only(TWO_LEVELS)
    assert release.identity == "apps › HelmRelease shop/web"
    assert release.options.crds == "apply"
    (layer,) = release.layers
    # What comes from the Secret may stand above all that the ConfigMap sets.
    assert layer.kind == "data"
    assert layer.data == {"replicas": 3, "host": "${HOST}", "key": "${KEY}"}
    assert layer.line == 11
    assert [it.why for it in release.unknown] == [
        "${HOST} is not known: Secret flux-system/secrets is not in the repository",
        "${KEY} is not known: Secret flux-system/secrets is not in the repository",
    ]
    assert {"flux/cluster.yaml", "apps/shop.yaml"} <= release.reads
    assert "a failed upgrade is rolled back and retried 2 times" in release.controller.remarks
    assert any(
        it.startswith("Kustomization flux-system/shop is suspended") for it in release.controller.remarks
    )


def test_variables_of_a_config_map_that_another_kustomization_brings() -> None:
    files = dict(TWO_LEVELS)
    files["apps/shop.yaml"] = INNER.replace("      - {kind: Secret, name: secrets}\n", "")
    release = only(files)
    assert release.layers[0].data == {"replicas": 3, "host": "web.example.com", "key": None}
    assert release.unknown == ()
    assert any("${KEY} is not set" in remark for remark in release.controller.remarks)


def test_settings_that_leave_the_values_alone_keep_their_lines() -> None:
    """A patch of the upgrade settings alters the HelmRelease, but its values are still the file's."""
    files = {**TWO_LEVELS, "shop/web.yaml": WEB, "apps/shop.yaml": INNER.partition("  postBuild")[0]}
    (layer,) = only(files).layers
    assert (layer.kind, layer.inside) == ("yaml", ("spec", "values"))


def test_a_kustomization_that_makes_itself() -> None:
    files = {
        "clusters/prod/flux-system/gotk-sync.yaml": CLUSTER.replace("./apps", "./clusters/prod"),
        "clusters/prod/web.yaml": WEB,
        "clusters/prod/chart.yaml": WEB_CHART,
    }
    release = only(files)
    assert (release.identity, release.namespace) == ("clusters/prod › HelmRelease default/web", "default")


def test_two_clusters_from_one_base() -> None:
    files = {
        f"clusters/{name}/apps.yaml": CLUSTER.replace("./apps", f"./apps/{name}") for name in ("a", "b")
    } | {
        f"apps/{name}/kustomization.yaml": f"resources: [../base]\nnamespace: {name}\n" for name in ("a", "b")
    }
    files |= {
        "apps/base/kustomization.yaml": "resources: [web.yaml, chart.yaml]\n",
        "apps/base/web.yaml": WEB,
        "apps/base/chart.yaml": WEB_CHART,
    }
    assert [release.identity for release in read(files).releases] == [
        "apps/a › HelmRelease a/web",
        "apps/b › HelmRelease b/web",
    ]


GENERATOR = """\
apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {name: all, namespace: flux-system}
spec:
  sources: [{alias: mono, kind: GitRepository, name: flux-system}]
  artifacts:
    - name: apps
      copy:
        - {from: "@mono/apps/base/**", to: "@artifact/base/"}
        - {from: "@mono/apps/prod/**", to: "@artifact/prod/"}
    - {name: infra, copy: [{from: "@mono/infra/**", to: "@artifact/"}]}
---
"""


def test_artifacts_that_are_copied_from_the_repository() -> None:
    artifact = CLUSTER.replace("GitRepository\n    name: flux-system", "ExternalArtifact\n    name: %s")
    files = {
        "clusters/prod/sync.yaml": CLUSTER.replace("./apps", "./clusters/prod"),
        "clusters/prod/all.yaml": GENERATOR
        + (artifact % "apps").replace("./apps", "./prod").replace("name: cluster", "name: apps"),
        "clusters/prod/infra.yaml": (artifact % "infra").replace("./apps", "./gone"),
        "apps/prod/kustomization.yaml": "resources: [../base]\nnamespace: shop\n",
        "apps/base/kustomization.yaml": "resources: [web.yaml, chart.yaml]\n",
        "apps/base/web.yaml": WEB,
        "apps/base/chart.yaml": WEB_CHART,
    }
    files["clusters/prod/infra.yaml"] = files["clusters/prod/infra.yaml"].replace(
        "name: cluster", "name: infra"
    )
    found = read(files)
    assert [release.identity for release in found.releases] == ["clusters/prod › HelmRelease shop/web"]
    assert [unknown.why for unknown in found.unknown] == [
        "ExternalArtifact infra has no gone from this repository"
    ]


def test_two_clusters_that_build_one_folder() -> None:
    files = {f"clusters/{name}/sync.yaml": CLUSTER for name in ("a", "b")} | {
        path: text for path, text in FILES.items() if path != "flux/cluster.yaml"
    }
    assert [release.identity for release in read(files).releases] == [
        "clusters/a › Kustomization flux-system/cluster › HelmRelease shop/web",
        "clusters/b › Kustomization flux-system/cluster › HelmRelease shop/web",
    ]


def test_one_name_by_two_kustomizations() -> None:
    second = CLUSTER.replace("name: cluster", "name: other").replace("./apps", "./far")
    files = {
        **FILES,
        "apps/kustomization.yaml": "resources: [shop, other.yaml]\n",
        "apps/other.yaml": second + "  kubeConfig: {secretRef: {name: far}}\n",
        "far/kustomization.yaml": "resources: [../apps/shop]\n",
    }
    near, far = read(files).releases
    assert near.identity == "apps › Kustomization flux-system/cluster › HelmRelease shop/web"
    assert far.identity == "apps › Kustomization flux-system/other › HelmRelease shop/web"
    remark = "it is installed in another cluster, that of the kubeConfig of Kustomization flux-system/other"
    assert remark in far.controller.remarks


def test_what_is_built_from_another_repository_is_named() -> None:
    other = (
        "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        "metadata: {name: flux, namespace: flux-system}\n"
        "spec: {path: ./, sourceRef: {kind: OCIRepository, name: flux-manifests}}\n"
    )
    found = read({**FILES, "apps/shop/chart.yaml": WEB_CHART + other})
    assert len(found.releases) == 1
    (unknown,) = found.unknown
    assert unknown.what == "apps/shop/chart.yaml Kustomization shop/flux"
    assert unknown.why == "it is built from OCIRepository flux-manifests, which is not this repository"


def test_what_no_kustomization_reaches_is_read_and_remarked() -> None:
    left = WEB.replace("name: web\nspec", "name: left\n  namespace: shop\nspec")
    files = {**FILES, "archive/left.yaml": left}
    releases = {release.identity: release for release in read(files).releases}
    assert set(releases) == {"apps › HelmRelease shop/web", "HelmRelease shop/left"}
    controller = releases["HelmRelease shop/left"].controller
    assert controller.deletes is None
    assert controller.remarks[0] == "no Flux Kustomization in this repository reaches it"


def test_folders_without_flux_kustomizations_are_built_and_patch_files_are_no_releases() -> None:
    files = {path: text for path, text in FILES.items() if path != "flux/cluster.yaml"}
    files["apps/shop/kustomization.yaml"] += "patches: [{path: patch.yaml}]\n"
    files["apps/shop/patch.yaml"] = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\n"
        "spec: {values: {replicas: 5}}\n"
    )
    release = only(files)
    assert (release.identity, release.namespace) == ("HelmRelease shop/web", "shop")
    assert release.layers[0].data == {"replicas": 5}


@pytest.mark.parametrize(
    ("change", "deletes"),
    [
        (("prune: true", "prune: false"), False),
        (("prune: true", "prune: true"), True),
        (("  chartRef", "  suspend: true\n  chartRef"), False),
        (
            ("name: web\nspec", "name: web\n  labels: {kustomize.toolkit.fluxcd.io/prune: disabled}\nspec"),
            False,
        ),
    ],
)
def test_whether_leaving_the_repository_uninstalls(change: tuple[str, str], deletes: bool) -> None:
    files = {path: text.replace(*change) for path, text in FILES.items()}
    assert only(files).controller.deletes is deletes


def test_a_release_that_is_not_yaml_is_named() -> None:
    found = read({**FILES, "apps/shop/web.yaml": WEB + "a: [\n"})
    assert found.releases == ()
    assert {unknown.what for unknown in found.unknown} == {"apps/shop/web.yaml"}


def test_releases_of_flux_1_are_named() -> None:
    old = "apiVersion: helm.fluxcd.io/v1\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\n"
    (unknown,) = read({"web.yaml": old}).unknown
    assert (unknown.what, unknown.why) == (
        "web.yaml HelmRelease shop/web",
        "a HelmRelease of helm.fluxcd.io/v1 is not read",
    )


def test_nothing_of_flux_is_nothing() -> None:
    assert read({"a.yaml": "kind: ConfigMap\n"}) == FoundReleases()
