"""Releases that charts of the tree make: in levels, by makers that break, and by their own children."""

from __future__ import annotations

from pathlib import Path

import pytest
from changes import CHART, check_folders

from helmguard.check.read_side import _LEVELS
from helmguard.errors import UsageError
from helmguard.model.check_report import CheckReport

APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec:
  destination: {namespace: shop}
  source: {repoURL: "https://git.example.com/platform.git", path: %s}
"""
BROKEN = {"root/templates/broken.yaml": '{{ fail "no" }}'}
LOUDER = {"charts/web/values.yaml": CHART["charts/web/values.yaml"].replace("info", "debug")}


def maker(name: str, *children: str) -> dict[str, str]:
    """A chart whose templates make these Applications (``name=folder``)."""
    made = "---\n".join(APPLICATION % tuple(child.split("=")) for child in children)
    chart = f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n"
    return {f"{name}/Chart.yaml": chart, f"{name}/templates/apps.yaml": made}


ROOT = {"apps/root.yaml": APPLICATION % ("root", "root"), **CHART}
TREE = {**ROOT, **maker("root", "web=charts/web", "mid=mid"), **maker("mid", "low=charts/web")}


def states(report: CheckReport) -> dict[str, str]:
    return {release.declared.identity.rpartition("/")[2]: release.state for release in report.releases}


def test_a_broken_maker_hides_its_releases_and_brings_none(tmp_path: Path, helm3: Path) -> None:
    report = check_folders(tmp_path, helm3, TREE, {**TREE, **BROKEN})
    assert states(report) == {"root": "changed"}
    [entry] = report.unknown
    assert "the 3 releases that it makes are not known" in entry.why


def test_a_mended_maker_says_that_its_releases_were_not_known(tmp_path: Path, helm3: Path) -> None:
    report = check_folders(tmp_path, helm3, {**TREE, **BROKEN}, TREE)
    assert states(report) == {"root": "changed"}
    [entry] = report.unknown
    assert entry.what == "Application argocd/root"
    assert "did not render before the change" in entry.why and "of the 3 releases" in entry.why


def test_a_maker_that_stays_broken_is_told_beside(tmp_path: Path, helm3: Path) -> None:
    broken = {**TREE, **BROKEN}
    report = check_folders(tmp_path, helm3, broken, {**broken, "README.md": "x"})
    assert (report.releases, report.unknown) == ((), ())
    assert "Application argocd/root" in {entry.what for entry in report.untouched}


def test_an_application_that_makes_itself_is_one(tmp_path: Path, helm3: Path) -> None:
    tree = {**ROOT, **maker("root", "root=root", "web=charts/web")}
    report = check_folders(tmp_path, helm3, tree, {**tree, **LOUDER})
    assert report.read == 2
    assert states(report) == {"web": "changed"}


def test_the_lowest_level_is_reached_and_what_is_below_is_named(tmp_path: Path, helm3: Path) -> None:
    chain = [f"level{number}" for number in range(_LEVELS + 1)]
    tree = {**CHART, "apps/level0.yaml": APPLICATION % ("level0", "level0")}
    for name, child in zip(chain, [*chain[1:], "web"], strict=True):
        tree |= maker(name, f"{child}={'charts/web' if child == 'web' else child}")
    report = check_folders(tmp_path, helm3, tree, {**tree, "README.md": "x"}, tools=("argo",))
    [entry] = report.untouched
    assert (
        entry.what.endswith(f"Application argocd/level{_LEVELS}") and "what it makes is not read" in entry.why
    )


@pytest.mark.parametrize("prune", ["true", "false"])
def test_a_release_outlives_a_maker_that_does_not_prune(tmp_path: Path, helm3: Path, prune: str) -> None:
    app = TREE["apps/root.yaml"] + f"  syncPolicy: {{automated: {{prune: {prune}}}}}\n"
    base = {**TREE, "apps/root.yaml": app}
    report = check_folders(tmp_path, helm3, base, {**base, **maker("root", "mid=mid")})
    [gone] = (release for release in report.releases if release.state == "removed")
    assert gone.declared.name == "web"
    assert (gone.plan is None) is (prune == "false")


def test_a_name_that_no_release_has_is_an_error(tmp_path: Path, helm3: Path) -> None:
    with pytest.raises(UsageError, match="--release shop/wbe: neither side"):
        check_folders(tmp_path, helm3, TREE, {**TREE, **LOUDER}, releases=("shop/wbe",))
    report = check_folders(tmp_path, helm3, TREE, {**TREE, **LOUDER}, releases=("shop/l*",))
    assert states(report) == {"low": "changed"}


@pytest.mark.parametrize(
    ("namespace", "found"), [("shop", {"web", "low"}), ("other", set()), ("", {"web", "low"})]
)
def test_a_namespace_leaves_out_the_others(
    tmp_path: Path, helm3: Path, namespace: str, found: set[str]
) -> None:
    report = check_folders(tmp_path, helm3, TREE, {**TREE, **LOUDER}, namespace=namespace)
    assert set(states(report)) == found
