"""Base and head, by refs, folders, the CI's variables and the repository's own branches."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from made_repository import ENVIRON, commit, git, make, state, write

from helmguard.errors import HelmguardError, RepositoryError, UsageError
from helmguard.repository.sides import Sides, open_sides

Read = tuple[str, str]


@pytest.fixture(scope="module")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``a`` is 1 at first, 2 on main by now, and ``b`` is new on the branch ``change``, which left before."""
    root = make(tmp_path_factory.mktemp("sides") / "upstream", a_="1")
    git(root, "checkout", "-q", "-b", "change")
    write(root, b_="new", folder__x_="1")
    commit(root)
    git(root, "checkout", "-q", "main")
    write(root, a_="2")
    commit(root)
    git(root, "checkout", "-q", "change")
    return root


@pytest.fixture(scope="module")
def clone(upstream: Path) -> Path:
    """A clone with ``change`` checked out."""
    git(upstream.parent, "clone", "-q", str(upstream), "clone")
    root = upstream.parent / "clone"
    git(root, "remote", "set-head", "origin", "main")
    git(root, "config", "remote.origin.url", "https://me:hunter2@git.example.com/team/apps.git")
    return root


def read(sides: Sides) -> tuple[dict[str, str], dict[str, str]]:
    base, head = (
        {path: tree.read(path).decode() for path in tree.entries} for tree in (sides.base, sides.head)
    )
    return base, head


CHANGE = {"a.yaml": "1", "b.yaml": "new", "folder/x.yaml": "1"}


@pytest.mark.parametrize("start", ["", "folder"])
def test_the_work_tree_is_compared_with_where_it_left_the_main_branch(clone: Path, start: str) -> None:
    before = state(clone)
    with open_sides(clone / start, environ=ENVIRON) as sides:
        assert read(sides) == ({"a.yaml": "1"}, CHANGE)
        first = git(clone, "rev-parse", "--short=7", "HEAD~1")
        assert (sides.base.label, sides.head.label) == (f"origin/HEAD ({first})", "the working tree")
        assert sides.root == clone
        assert sides.remotes == ("https://git.example.com/team/apps.git",)
        assert sides.notes == (
            f"origin/HEAD has moved on since: compared with {first}, where head left it (the merge base)",
        )
    assert state(clone) == before


def test_the_tip_itself_without_a_merge_base(clone: Path) -> None:
    with open_sides(clone, "origin/main", "HEAD", merge_base=False, environ=ENVIRON) as sides:
        assert read(sides) == ({"a.yaml": "2"}, CHANGE)
        assert sides.notes == ()


@pytest.mark.parametrize(
    ("variables", "base", "note"),
    [
        ({"GITHUB_BASE_REF": "main"}, "origin/main", "GITHUB_BASE_REF"),
        ({"GITHUB_BASE_REF": ""}, "origin/HEAD", ""),
        ({"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}, "origin/main", "CI_MERGE_REQUEST_TARGET_BRANCH"),
        ({"BITBUCKET_PR_DESTINATION_BRANCH": "main"}, "origin/main", "BITBUCKET_PR"),
        ({"CHANGE_TARGET": "change"}, "origin/change", "CHANGE_TARGET"),
        ({"SYSTEM_PULLREQUEST_TARGETBRANCH": "refs/heads/main"}, "origin/main", "SYSTEM_PULLREQUEST"),
    ],
)
def test_the_ci_says_what_is_merged_into(
    clone: Path, variables: dict[str, str], base: str, note: str
) -> None:
    with open_sides(clone, environ={**ENVIRON, **variables}) as sides:
        assert sides.base.label.startswith(f"{base} (")
        assert any(note in said for said in sides.notes) if note else len(sides.notes) == 1


def test_the_ci_says_the_commit_itself(clone: Path) -> None:
    first = git(clone, "rev-parse", "HEAD~1")
    variables = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": first, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "gone"}
    with open_sides(clone, environ={**ENVIRON, **variables}) as sides:
        assert read(sides)[0] == {"a.yaml": "1"}


def test_a_branch_that_the_ci_names_and_the_clone_lacks_is_no_reason_to_take_another(clone: Path) -> None:
    with (
        pytest.raises(RepositoryError, match="'release', which this clone does not have") as raised,
        open_sides(clone, environ={**ENVIRON, "GITHUB_BASE_REF": "release"}),
    ):
        pass
    assert "fetch-depth: 0" in raised.value.remedy


def test_a_hook_s_own_repository_is_not_the_one_that_is_looked_at(clone: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other", z_="z")
    variables = {"GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other), "GIT_INDEX_FILE": "none"}
    with open_sides(clone, environ={**ENVIRON, **variables}) as sides:
        assert read(sides)[1] == CHANGE


def test_a_repository_without_a_remote(upstream: Path) -> None:
    with open_sides(upstream, environ=ENVIRON) as sides:
        assert sides.base.label.startswith("main (")
        assert (sides.remotes, read(sides)[0]) == ((), {"a.yaml": "1"})


def test_a_bare_repository_has_no_work_tree(upstream: Path) -> None:
    with open_sides(upstream / ".git", "main", "change", environ=ENVIRON) as sides:
        assert read(sides) == ({"a.yaml": "1"}, CHANGE)
        assert sides.root is None
    with pytest.raises(UsageError, match="no work tree"), open_sides(upstream / ".git", environ=ENVIRON):
        pass


def test_folders_need_no_repository_and_no_git(tmp_path: Path) -> None:
    write(tmp_path, one__a_="1", two__a_="2")
    environ = {"PATH": "/nonexistent"}
    with open_sides(tmp_path, "./one", "./two", environ=environ) as sides:
        assert read(sides) == ({"a.yaml": "1"}, {"a.yaml": "2"})
        assert (sides.base.label, sides.head.label, sides.root) == ("./one", "./two", None)


def test_a_folder_is_compared_with_the_folder_around_it(tmp_path: Path) -> None:
    write(tmp_path, old__a_="1", new__a_="2")
    with open_sides(tmp_path / "new", "../old", environ=ENVIRON) as sides:
        assert read(sides) == ({"a.yaml": "1"}, {"a.yaml": "2"})


def test_a_name_of_both_a_ref_and_a_folder_is_the_ref(upstream: Path, tmp_path: Path) -> None:
    root = shutil.copytree(upstream, tmp_path / "root")
    write(root, main__y_="y")
    with open_sides(root, "main", "folder", merge_base=False, environ=ENVIRON) as sides:
        assert read(sides) == ({"a.yaml": "2"}, {"x.yaml": "1"})
    with open_sides(root, "./main", environ=ENVIRON) as sides:
        assert read(sides)[0] == {"y.yaml": "y"}


def test_a_checkout_of_its_own_is_read_as_git_does(upstream: Path, tmp_path: Path) -> None:
    git(upstream, "worktree", "add", "-q", str(tmp_path / "tree"), "main")
    write(tmp_path / "tree", ignored="x", **{".gitignore": "ignored"})
    with open_sides(upstream, str(tmp_path / "tree"), environ=ENVIRON) as sides:
        assert sides.base.entries.keys() == {"a.yaml", ".gitignore"}
    git(upstream, "worktree", "remove", "--force", str(tmp_path / "tree"))


def test_a_folder_has_no_merge_base(upstream: Path) -> None:
    with open_sides(upstream, "main", "./folder", environ=ENVIRON) as sides:
        assert read(sides)[0] == {"a.yaml": "2"}
        assert sides.notes == ("a folder has no history: compared with main as it is, not where they parted",)


def test_a_shallow_clone_says_what_to_fetch(upstream: Path, tmp_path: Path) -> None:
    words = ("clone", "-q", "--depth=1", "--no-single-branch", f"file://{upstream}", "shallow")
    git(tmp_path, *words)
    with (
        pytest.raises(RepositoryError, match="only the last part of the history") as raised,
        open_sides(tmp_path / "shallow", "origin/main", environ=ENVIRON),
    ):
        pass
    assert all(word in raised.value.remedy for word in ("--deepen", "fetch-depth: 0", "--no-merge-base"))
    with open_sides(tmp_path / "shallow", "origin/main", merge_base=False, environ=ENVIRON) as sides:
        assert read(sides) == ({"a.yaml": "2"}, CHANGE)


def test_a_clone_without_contents_fetches_nothing(upstream: Path, tmp_path: Path) -> None:
    git(upstream, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{upstream}", "partial")
    with open_sides(tmp_path / "partial", "origin/main", merge_base=False, environ=ENVIRON) as sides:
        assert sides.head.read("a.yaml") == b"1"
        with pytest.raises(RepositoryError, match="is not in the clone") as raised:
            sides.base.read("a.yaml")
        assert "without --filter" in raised.value.remedy


def test_histories_with_nothing_in_common(upstream: Path, tmp_path: Path) -> None:
    root = shutil.copytree(upstream, tmp_path / "root")
    git(root, "checkout", "-q", "--orphan", "alone")
    commit(root)
    with (
        pytest.raises(RepositoryError, match="no commit in common") as raised,
        open_sides(root, "main", environ=ENVIRON),
    ):
        pass
    assert "--no-merge-base" in raised.value.remedy


@pytest.mark.parametrize(
    ("inside", "base", "head", "kind", "message"),
    [
        (True, "nothing", "", RepositoryError, "'nothing' is no commit"),
        (True, "", "nothing", RepositoryError, "'nothing' is no commit"),
        (True, "./nothing", "", RepositoryError, "no folder ./nothing"),
        (False, "", "", UsageError, "nothing to compare with"),
        (False, "main", "", RepositoryError, "in no git repository"),
    ],
)
def test_what_cannot_be_looked_at(
    upstream: Path,
    tmp_path: Path,
    inside: bool,
    base: str,
    head: str,
    kind: type[HelmguardError],
    message: str,
) -> None:
    start = upstream if inside else tmp_path
    with pytest.raises(kind, match=message) as raised, open_sides(start, base, head, environ=ENVIRON):
        pass
    assert raised.value.remedy


def test_no_git(tmp_path: Path) -> None:
    with (
        pytest.raises(RepositoryError, match="git is not installed"),
        open_sides(tmp_path, "main", environ={"PATH": "/nonexistent"}),
    ):
        pass


def test_a_repository_with_no_known_branch(tmp_path: Path) -> None:
    root = make(tmp_path / "root", a_="1")
    git(root, "branch", "-m", "trunk")
    with (
        pytest.raises(UsageError, match="has none of origin/HEAD, origin/main"),
        open_sides(root, environ=ENVIRON),
    ):
        pass
