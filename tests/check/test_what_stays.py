"""What leaves a rendering and stays in the cluster, by annotation or by what the controller does."""

from __future__ import annotations

from pathlib import Path

import pytest
from changes import CHART, check_folders, only

from helmguard.check.kept_objects import why_kept
from helmguard.model.check_report import CheckedRelease
from helmguard.model.declared_release import ChartNeed, Controller, DeclaredRelease, FileLine, Tool
from helmguard.report.check_exit_code import check_exit_code

FLUX = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: platform}}}
  upgrade: {crds: CreateReplace}
  values: {level: warn}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: platform, namespace: shop}
spec: {url: "https://git.example.com/platform.git", ref: {branch: main}}
"""
ARGO = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec:
  destination: {namespace: shop}
  source: {repoURL: "https://git.example.com/platform.git", path: charts/web, helm: {releaseName: web}}
  syncPolicy: {automated: {prune: true}}
"""
DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.com}
spec:
  group: example.com
  names: {kind: Shop, plural: shops}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""
LEAVING = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: kept, annotations: {helm.sh/resource-policy: keep}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: unpruned, annotations: {argocd.argoproj.io/sync-options: "Prune=false,Delete=false"}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: goes}
---
apiVersion: batch/v1
kind: Job
metadata: {name: farewell, annotations: {helm.sh/hook: pre-delete}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}
"""
CRD, EXTRA, APP = "charts/web/crds/shop.yaml", "charts/web/templates/extra.yaml", "apps/web.yaml"
TREE = {**CHART, CRD: DEFINITION, EXTRA: LEAVING}


def actions(release: CheckedRelease) -> dict[str, str]:
    assert release.plan is not None
    return {str(one.prediction.key): one.action for one in release.plan.resources}


@pytest.mark.parametrize(
    ("app", "goes", "stays"),
    [
        (FLUX, {"goes", "unpruned"}, {"kept", "shops.example.com"}),
        (ARGO, {"goes", "shops.example.com"}, {"kept", "unpruned"}),
        (
            ARGO.replace("prune: true", "prune: false"),
            set(),
            {"goes", "kept", "unpruned", "shops.example.com"},
        ),
    ],
    ids=["flux", "argo", "argo without pruning"],
)
def test_objects_that_leave_the_chart(
    tmp_path: Path, helm3: Path, app: str, goes: set[str], stays: set[str]
) -> None:
    base = {**TREE, APP: app}
    head = {name: text for name, text in base.items() if name not in (CRD, EXTRA)}
    report = check_folders(tmp_path, helm3, base, head)
    release = only(report)
    found = actions(release)
    assert {name.partition("/")[2] for name, action in found.items() if action == "delete"} == goes
    assert {name.partition("/")[2] for name, action in found.items() if action == "keep"} == stays
    assert release.state == "changed" and check_exit_code(report) == 2
    assert release.plan is not None
    assert not [one for one in release.plan.findings if one.where.name.partition("/")[2] in stays]


def test_a_release_that_flux_uninstalls(tmp_path: Path, helm3: Path) -> None:
    """The chart stays in the tree, and Flux is all that installed it."""
    release = only(check_folders(tmp_path, helm3, {**TREE, APP: FLUX}, TREE, tools=("flux",)))
    assert release.state == "removed"
    found = actions(release)
    assert found["CustomResourceDefinition/shops.example.com"] == "keep"
    assert (found["ConfigMap/kept"], found["ConfigMap/goes"]) == ("keep", "delete")
    assert release.plan is not None
    assert "uninstalling it runs Job/farewell (pre-delete)" in release.plan.notes


def test_a_chart_of_the_tree_that_flux_takes_from_git_concerns_its_release(
    tmp_path: Path, helm3: Path
) -> None:
    changed = {CRD: DEFINITION.replace("served: true", "served: false")}
    report = check_folders(tmp_path, helm3, {**TREE, APP: FLUX}, {**TREE, APP: FLUX, **changed})
    release = only(report)
    assert release.declared.identity.endswith("HelmRelease shop/web")
    assert actions(release)["CustomResourceDefinition/shops.example.com"] == "update"


def test_definitions_that_an_upgrade_leaves_are_told(tmp_path: Path, helm3: Path) -> None:
    app = FLUX.replace("  upgrade: {crds: CreateReplace}\n", "")
    changed = {CRD: DEFINITION.replace("served: true", "served: false")}
    report = check_folders(tmp_path, helm3, {**TREE, APP: app}, {**TREE, APP: app, **changed})
    release = only(report)
    assert release.state == "changed", "nothing else differs"
    assert release.plan is not None
    assert any("leaves definitions as they are: shops.example.com" in note for note in release.plan.notes)
    assert "crd-not-upgraded" in {one.rule for one in release.plan.findings}
    report = check_folders(
        tmp_path / "alike", helm3, {**TREE, APP: app}, {**TREE, APP: app.replace("warn", "debug")}
    )
    plan = only(report).plan
    assert plan is not None
    assert "crd-not-upgraded" not in {one.rule for one in plan.findings}, "the change leaves them alone"


def test_another_release_name_is_a_value_to_argo_and_another_release_to_flux(
    tmp_path: Path, helm3: Path
) -> None:
    argo = check_folders(
        tmp_path / "argo",
        helm3,
        {**TREE, APP: ARGO},
        {**TREE, APP: ARGO.replace("releaseName: web", "releaseName: shop")},
    )
    found = actions(only(argo))
    assert (found["ConfigMap/web"], found["ConfigMap/shop"]) == ("delete", "create")
    assert found["ConfigMap/goes"] == "unchanged"
    renamed = FLUX.replace("spec:\n  chart", "spec:\n  releaseName: shop\n  chart")
    flux = check_folders(tmp_path / "flux", helm3, {**TREE, APP: FLUX}, {**TREE, APP: renamed})
    assert [release.state for release in flux.releases] == ["removed", "added"]


def declared(tool: Tool, controller: Controller) -> DeclaredRelease:
    return DeclaredRelease(tool, "x", "x", "x", FileLine(), ChartNeed("path"), controller)


HELM, ARGO_CD = declared("helmfile", Controller("helmfile")), declared("argo", Controller("Argo CD"))


@pytest.mark.parametrize(
    ("annotation", "value", "release", "whole", "stays"),
    [
        ("helm.sh/resource-policy", "keep", HELM, False, True),
        ("helm.sh/resource-policy", " KEEP ", HELM, False, False),
        ("helm.sh/resource-policy", " KEEP ", HELM, True, True),
        ("helm.sh/resource-policy", "delete", HELM, True, False),
        ("argocd.argoproj.io/sync-options", "Replace=true, Prune=false", ARGO_CD, False, True),
        ("argocd.argoproj.io/sync-options", "Prune=false", ARGO_CD, True, False),
        ("argocd.argoproj.io/sync-options", "Delete=false", ARGO_CD, True, True),
        ("argocd.argoproj.io/sync-options", "Prune=false", HELM, False, False),
    ],
)
def test_annotations(annotation: str, value: str, release: DeclaredRelease, whole: bool, stays: bool) -> None:
    body = {"metadata": {"annotations": {annotation: value}}}
    assert bool(why_kept(body, "x/templates/a.yaml", release, whole=whole)) is stays
