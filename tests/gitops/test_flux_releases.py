"""HelmReleases as the Flux Kustomizations of a tree make them."""

from __future__ import annotations

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
