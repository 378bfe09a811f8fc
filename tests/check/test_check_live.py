"""The check with a live side: a release that is there, one that is not, drift, no rights, a bundle."""

from __future__ import annotations

from pathlib import Path

import pytest
from changes import CHART, check_folders, only, write_tree
from controlplane.client import ControlPlane
from controlplane.helm import Helm

from helmguard.check.two_way import LIVE_SIDE
from helmguard.cli.main import main
from helmguard.cluster.kube_options import KubeOptions
from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.report.check_exit_code import check_exit_code

ENTRY = "releases:\n- {release: web, namespace: %s, chart: charts/web, values: [prod.yaml]}\n"
SECOND = "charts/web/templates/second.yaml"
LOUDER = {"prod.yaml": "level: debug\n"}
ARGO = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  destination: {namespace: %s}
  source: {repoURL: "https://git.example.com/a.git", path: charts/web, helm: {values: "level: warn"}}
  syncPolicy: {automated: {prune: false}}
"""


def tree_of(namespace: str) -> dict[str, str]:
    second = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: second}\n"
    return {**CHART, ".helmguard.yaml": ENTRY % namespace, "prod.yaml": "level: warn\n", SECOND: second}


def actions(release: CheckedRelease) -> dict[str, str]:
    assert release.plan is not None
    return {one.prediction.key.name: one.action for one in release.plan.resources}


def rules(release: CheckedRelease) -> set[str]:
    assert release.plan is not None
    return {finding.rule for finding in release.plan.findings if finding.result == "fires"}


def test_a_release_and_its_cluster(
    tmp_path: Path, helm_here: Helm, control_plane: ControlPlane, namespace: str
) -> None:
    tree = tree_of(namespace)
    chart = write_tree(tmp_path / "installed", tree) / "charts/web"

    def check(name: str, head: dict[str, str], base: dict[str, str] = tree, **more: object) -> CheckReport:
        live = {"live": True, "kube": KubeOptions(kubeconfig=str(control_plane.kubeconfig)), **more}
        return check_folders(tmp_path / name, helm_here.binary, base, head, **live)

    missing = only(check("missing", {**tree, **LOUDER}))
    assert actions(missing) == {"web": "update", "second": "unchanged"}
    assert missing.plan is not None
    [entry] = missing.plan.unknown
    assert entry.why.startswith(f"the cluster holds no release web in namespace {namespace}: ")

    values = tmp_path / "installed/prod.yaml"
    helm_here.run("install", "web", str(chart), "-f", str(values))
    found = check("there", {**tree, **LOUDER})
    assert (found.live, check_exit_code(found)) == ("cluster", 2)
    assert actions(only(found)) == {"web": "update", "second": "unchanged"}
    assert only(found).plan.unknown == ()  # type: ignore[union-attr]

    bundle = tmp_path / "bundle"
    words = ["-n", namespace, "-f", str(values), "--helm-bin", str(helm_here.binary), "-q"]
    assert main(["bundle", "web", str(chart), "-o", str(bundle), *words]) == 0
    path = f"/api/v1/namespaces/{namespace}/configmaps/web"
    control_plane.patch(path, {"data": {"level": "by hand"}}, field_manager="somebody")
    drifted = check("drifted", {**tree, **LOUDER})
    assert rules(only(drifted)) & {"drift-reverted", "drift-conflict-ssa"}
    assert check_exit_code(drifted) == 3
    frozen = check("frozen", {**tree, **LOUDER}, live=False, bundle=str(bundle))
    assert (frozen.live, check_exit_code(frozen)) == ("bundle", 2)
    assert rules(only(frozen)) == set(), "the bundle is of the time before"

    other = {**tree, ".helmguard.yaml": (ENTRY % namespace).replace("web,", "shop,", 1)}
    strange = only(check("other", {**other, **LOUDER}, other, live=False, bundle=str(bundle)))
    assert strange.plan is not None
    assert strange.plan.unknown[0].why.startswith("the bundle holds no release shop ")

    argo = {**CHART, SECOND: tree[SECOND], "app.yaml": ARGO % namespace}
    kept = only(check("argo", {name: text for name, text in argo.items() if name != SECOND}, argo))
    assert actions(kept)["second"] == "keep"

    limited = control_plane.as_limited().kubeconfig
    refused = only(check("limited", {**tree, **LOUDER}, kube=KubeOptions(kubeconfig=str(limited))))
    assert refused.state == "unknown"
    assert "records cannot be read" in refused.why and "internal" not in refused.why


def test_without_a_live_side_it_is_said_how_to_get_one() -> None:
    assert "--live" in LIVE_SIDE.why


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--live", "--bundle", "x"], "exclude each other"),
        (["--kube-version", "newest"], "'newest' is no version of Kubernetes"),
        (["--release", "nobody"], "--release nobody: neither side declares a release of this name"),
        (["--jobs", "0"], "'0' is no number of releases"),
        (["--bundle", "no/such"], "no such bundle: no/such"),
    ],
)
def test_words_that_cannot_be_used(
    tmp_path: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str], helm3: Path
) -> None:
    sides = ["--base", str(tmp_path), "--head", str(tmp_path)]
    assert main(["check", *sides, "--helm-bin", str(helm3), *words]) == 1
    assert said in capsys.readouterr().err
