"""Files that stand for contents which are elsewhere: what rests on them is not known, and never gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from changes import CHART, check_folders, only

from helmguard.check.one_sided import comparable_releases
from helmguard.check.read_side import ReadSide
from helmguard.gitops.documents import Documents
from helmguard.model.declared_release import ChartNeed, Controller, DeclaredRelease, FileLine
from helmguard.model.plan import Unknown
from helmguard.repository.folder_tree import FolderTree

POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 123\n"
SEALED = "\0GITCRYPT\0sealed"
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  destination: {namespace: shop}
  source:
    repoURL: https://git.example.com/platform.git
    path: charts/web
    helm: {valueFiles: [/values/web.yaml]}
"""
TREE = {**CHART, "apps/web.yaml": APPLICATION, "values/web.yaml": "level: warn\n"}


@pytest.mark.parametrize(
    ("file", "content", "why"),
    [
        ("apps/web.yaml", POINTER, "apps/web.yaml is a Git LFS pointer"),
        ("apps/web.yaml", SEALED, "apps/web.yaml is encrypted by git-crypt"),
    ],
)
def test_what_cannot_be_read_any_more_is_not_gone(
    tmp_path: Path, helm3: Path, file: str, content: str, why: str
) -> None:
    report = check_folders(tmp_path, helm3, TREE, {**TREE, file: content})
    release = only(report)
    assert release.state == "unknown" and why in release.why
    assert any(entry.what.startswith(file) for entry in report.unknown)


@pytest.mark.parametrize("content", [POINTER, SEALED])
def test_values_that_are_elsewhere_are_not_known_and_no_fault(
    tmp_path: Path, helm3: Path, content: str
) -> None:
    release = only(check_folders(tmp_path, helm3, TREE, {**TREE, "values/web.yaml": content}))
    assert release.plan is not None
    assert not [finding for finding in release.plan.findings if finding.severity == "blocker"]
    assert any("values/web.yaml" in entry.what for entry in release.plan.unknown)


def test_a_new_file_that_nobody_can_read_is_named(tmp_path: Path, helm3: Path) -> None:
    report = check_folders(tmp_path, helm3, TREE, {**TREE, "apps/new.yaml": POINTER})
    assert [entry.what for entry in report.unknown] == ["apps/new.yaml"]


@pytest.mark.parametrize(
    ("unread", "hidden"),
    [
        ("apps/set.yaml ApplicationSet argocd/set", True),
        ("apps/set.yaml Application argocd/web", True),
        ("apps/set.yaml Application argocd/webs", False),
        ("apps/other.yaml ApplicationSet argocd/set", False),
    ],
)
def test_a_release_whose_maker_is_not_read_any_more_is_not_gone(
    tmp_path: Path, unread: str, hidden: bool
) -> None:
    identity = "ApplicationSet argocd/set › Application argocd/web"
    place, chart = FileLine("apps/set.yaml", 1), ChartNeed("path", path="c")
    release = DeclaredRelease("argo", identity, "web", "shop", place, chart, Controller("Argo CD"))
    before = ReadSide({identity: release})
    after = ReadSide({}, (Unknown(unread, "its source is a submodule"),))
    found = comparable_releases(before, after, Documents(FolderTree(tmp_path)), "after")
    assert bool(found.hidden) is hidden and bool(found.releases) is not hidden
