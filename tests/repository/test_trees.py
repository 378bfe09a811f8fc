"""Trees of commits, work trees and folders, of a repository with everything that git can hold."""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_repository import ENVIRON, commit, git, make, state, write

from helmguard.errors import RepositoryError
from helmguard.manifest.pointers import why_not_content
from helmguard.repository.folder_tree import FolderTree
from helmguard.repository.git_tree import GitTree
from helmguard.repository.working_tree import WorkingTree

SCRIPT = "#!/bin/sh\n"


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files, links of all kinds, a script, a name that is no UTF-8, an LFS pointer and a submodule."""
    base = tmp_path_factory.mktemp("trees")
    other = make(base / "other", chart__Chart_="name: other\n")
    root = make(base / "root", a_="a: 1\n", apps__web__values_="x: 1\n", apps__web__run=SCRIPT)
    (root / "apps/web/run").chmod(0o755)
    (root / "same.yaml").symlink_to("a.yaml")
    (root / "web").symlink_to("apps/web")
    (root / "apps/web/up").symlink_to("..")
    (root / "outside").symlink_to("/etc/hostname")
    (root / "above").symlink_to("../other")
    (root / "nowhere").symlink_to("none")
    (root / "circle").symlink_to("circle")
    (root / ".gitignore").write_text("ignored\n")
    (Path(str(root)) / "caf\udce9.yaml").write_text("latin: 1\n")
    (root / "big.tgz").write_text(
        "version https://git-lfs.github.com/spec/v1\n"
        f"oid sha256:{hashlib.sha256(b'big').hexdigest()}\nsize 3\n"
    )
    git(root, "submodule", "add", "-q", str(other), "sub")
    commit(root)
    return root


@pytest.fixture
def root(pristine: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    return shutil.copytree(pristine, tmp_path / "root", symlinks=True)


@pytest.fixture
def head(root: Path) -> Iterator[GitTree]:
    tree = GitTree(root, "HEAD", environ=ENVIRON)
    yield tree
    tree.close()


PATHS = [
    ".gitignore",
    ".gitmodules",
    "a.yaml",
    "apps/web/run",
    "apps/web/values.yaml",
    "big.tgz",
    "caf\\xe9.yaml",
    "same.yaml",
    "sub",
    "web/run",
    "web/values.yaml",
]


def test_a_commit(head: GitTree, root: Path) -> None:
    assert list(head.entries) == PATHS
    assert head.label == f"HEAD ({git(root, 'rev-parse', 'HEAD')[:7]})"
    assert head.read("web/values.yaml") == head.read("apps/web/values.yaml") == b"x: 1\n"
    assert head.entries["same.yaml"] == head.entries["a.yaml"] == git(root, "rev-parse", "HEAD:a.yaml")
    assert head.linked == {"same.yaml", "web/run", "web/values.yaml"}
    assert head.executables == {"apps/web/run", "web/run"}
    assert head.read("caf\\xe9.yaml") == b"latin: 1\n"
    assert "git submodule" in why_not_content(head.read("sub"))
    assert "3 bytes are not in this clone" in why_not_content(head.read("big.tgz"))
    with pytest.raises(KeyError):
        head.read("outside")


def test_a_folder_of_a_commit(root: Path) -> None:
    tree = GitTree(root, "HEAD", "apps/web", environ=ENVIRON)
    assert tree.entries.keys() == {"run", "values.yaml"}
    assert tree.read("run") == SCRIPT.encode()
    tree.close()


def test_a_bare_repository_is_read_the_same(head: GitTree, root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(root), "bare.git")
    bare = GitTree(tmp_path / "bare.git", "main", environ=ENVIRON)
    assert bare.entries == head.entries
    assert bare.read("a.yaml") == b"a: 1\n"
    bare.close()


def test_what_lfs_has_fetched_is_read(head: GitTree, root: Path) -> None:
    name = hashlib.sha256(b"big").hexdigest()
    stored = root / ".git/lfs/objects" / name[:2] / name[2:4] / name
    stored.parent.mkdir(parents=True)
    stored.write_bytes(b"bug")
    assert why_not_content(head.read("big.tgz"))
    stored.write_bytes(b"big")
    assert head.read("big.tgz") == b"big"


def test_reading_from_many_threads(head: GitTree) -> None:
    wrong: list[str] = []

    def read() -> None:
        for _ in range(50):
            wrong.extend(path for path in ("a.yaml", "apps/web/run") if len(head.read(path)) not in (5, 10))
            wrong.extend(["mixed"] if head.read("a.yaml") != b"a: 1\n" else [])

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_object_that_is_missing_is_named_and_others_are_still_read(head: GitTree, root: Path) -> None:
    blob = head.entries["apps/web/values.yaml"]
    (root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(RepositoryError, match=f"{blob[:12]} is not in the clone") as raised:
        head.read("web/values.yaml")
    assert "--filter" in raised.value.remedy
    assert head.read("a.yaml") == b"a: 1\n"


@pytest.mark.parametrize("ref", ["nothing", "", "--all", "HEAD:apps", "main..main", "HEAD^{tree}"])
def test_what_is_no_commit_is_refused(root: Path, ref: str) -> None:
    with pytest.raises(RepositoryError, match="is no commit"):
        GitTree(root, ref, environ=ENVIRON)


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="is in no git repository"):
        GitTree(tmp_path, "HEAD", environ=ENVIRON)


def test_an_unchanged_work_tree_is_its_commit(head: GitTree, root: Path) -> None:
    tree = WorkingTree(root, environ=ENVIRON)
    assert tree.entries == head.entries
    assert all(tree.read(path) == head.read(path) for path in PATHS)
    assert tree.executables == head.executables


def test_a_changed_work_tree_is_what_a_commit_of_all_of_it_would_be(root: Path) -> None:
    write(root, a_="a: 2\n", new__deep_="n: 1\n", ignored="x", staged_="s: 1\n", planned_="p: 1\n")
    write(root / "sub", more_="m: 1\n")
    git(root, "add", "staged.yaml")
    git(root, "add", "-N", "planned.yaml")
    (root / "staged.yaml").write_text("s: 2\n")
    (root / "same.yaml").unlink()
    (root / "same.yaml").symlink_to("new/deep.yaml")
    (root / "apps/web/run").chmod(0o644)
    (root / "caf\udce9.yaml").unlink()
    make(root / "nested", x_="x: 1\n")
    commit(root / "sub")
    before = state(root)

    tree = WorkingTree(root, environ=ENVIRON)
    assert tree.read("same.yaml") == b"n: 1\n"
    assert tree.read("staged.yaml") == b"s: 2\n"
    assert not {"ignored", "nested/x.yaml", "caf\\xe9.yaml"} & tree.entries.keys()
    assert tree.executables == frozenset()
    assert tree.remarks == ("nested is a repository of its own and no submodule: left out",)
    assert state(root) == before

    shutil.rmtree(root / "nested")
    commit(root)
    after = GitTree(root, "HEAD", environ=ENVIRON)
    assert tree.entries == after.entries
    after.close()


def test_a_file_behind_a_folder_that_became_a_link_is_gone(root: Path, tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", web__values_="secret: 1\n")
    shutil.rmtree(root / "apps")
    (root / "apps").symlink_to(tmp_path / "elsewhere")
    tree = WorkingTree(root, environ=ENVIRON)
    assert not [path for path in tree.entries if path.startswith(("apps", "web"))]


def test_a_conflict_is_read_as_it_stands(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "theirs")
    write(root, a_="a: theirs\n")
    commit(root)
    git(root, "checkout", "-q", "main")
    write(root, a_="a: ours\n")
    commit(root)
    with pytest.raises(AssertionError):
        git(root, "merge", "-q", "theirs")
    tree = WorkingTree(root, environ=ENVIRON)
    assert tree.read("a.yaml").startswith(b"<<<<<<<")


def test_what_a_sparse_checkout_leaves_out_is_there(head: GitTree, root: Path) -> None:
    git(root, "status")  # of a copy, git does not know yet that nothing changed
    git(root, "sparse-checkout", "set", "--no-cone", "/a.yaml")
    assert not (root / "apps").exists()
    tree = WorkingTree(root, environ=ENVIRON)
    assert tree.entries == head.entries
    assert tree.read("web/values.yaml") == b"x: 1\n"
    tree.close()


def test_the_settings_of_a_repository_run_nothing(root: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\nexit 1\n")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external"):
        git(root, "config", name, str(trap))
    hooks = root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    shutil.copy(trap, hooks / "post-index-change")
    write(root, a_="a: 2\n")
    assert WorkingTree(root, environ=ENVIRON).read("a.yaml") == b"a: 2\n"
    assert not (tmp_path / "sprung").exists()


def test_a_folder(root: Path, head: GitTree) -> None:
    shutil.rmtree(root / "sub")
    write(root, ignored="x")
    tree = FolderTree(root)
    expected = {path: blob for path, blob in head.entries.items() if path != "sub"}
    assert {path: blob for path, blob in tree.entries.items() if path != "ignored"} == expected
    assert "ignored" in tree.entries
    assert tree.read("web/run") == SCRIPT.encode()
    assert tree.executables == head.executables
    with pytest.raises(RepositoryError, match="is no folder"):
        FolderTree(root / "none")


def test_a_file_that_becomes_a_link_is_not_followed(root: Path) -> None:
    tree = FolderTree(root)
    (root / "a.yaml").unlink()
    (root / "a.yaml").symlink_to("/etc/hostname")
    with pytest.raises(RepositoryError, match="cannot read"):
        tree.read("a.yaml")
