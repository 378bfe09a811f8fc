"""The two sides of a change, from what the user or the CI says."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from helmguard.errors import RepositoryError, UsageError
from helmguard.repository.base_ref import default_base
from helmguard.repository.discover import Repository, find_repository, is_shallow, remote_urls, require
from helmguard.repository.folder_tree import FolderTree
from helmguard.repository.git_command import git_error, try_git
from helmguard.repository.git_objects import GitObjects
from helmguard.repository.git_tree import GitTree, commit_of, find_commit
from helmguard.repository.listed_tree import ListedTree
from helmguard.repository.working_tree import WorkingTree


class Sides(msgspec.Struct, frozen=True):
    """Before and after. ``root`` is the work tree's, None where there is none.

    ``remotes`` are the repository's URLs, ``notes`` sentences for the reader: which commit is compared
    with and why, what was left out.
    """

    base: ListedTree
    head: ListedTree
    root: Path | None = None
    remotes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@contextmanager
def open_sides(
    start: Path,
    base: str = "",
    head: str = "",
    *,
    merge_base: bool = True,
    environ: Mapping[str, str] | None = None,
) -> Iterator[Sides]:
    """Base and head of a change, each a git ref or a folder; they can be read inside the ``with`` block.

    An empty head is the work tree around ``start``, an empty base the branch that the change goes into
    (see `helmguard.repository.base_ref`). A word is a ref where there is such a ref, else a folder as seen
    from ``start``; one that begins with ``./``, ``../`` or ``/`` is a folder. With ``merge_base``, a base ref
    stands for the commit where head left it.

    Raises:
        UsageError: there is nothing to compare with or to look at.
        RepositoryError: a ref or folder is missing or cannot be read, or the two have no commit in common.
    """
    given = os.environ if environ is None else environ
    base_folder, head_folder = _folder(start, base), _folder(start, head)
    both_folders = base_folder is not None and head_folder is not None
    repository = None if both_folders else find_repository(start, given)
    base_folder = base_folder or _folder_unless_ref(start, base, repository, given)
    head_folder = head_folder or _folder_unless_ref(start, head, repository, given)
    if not base and repository is None:
        raise UsageError(
            f"nothing to compare with: {start} is in no git repository", remedy="Name it: --base DIR"
        )
    remotes = remote_urls(repository, given) if repository is not None else {}
    with GitObjects(repository.folder if repository is not None else start, given) as objects:
        opened = _Opener(start, repository, objects, given)
        after = opened.folder(head_folder, head) if head_folder else opened.head(head)
        notes: tuple[str, ...] = ()
        if base_folder is not None:
            before = opened.folder(base_folder, base)
        else:
            before, notes = opened.base(base, remotes, after, merge_base=merge_base)
        yield Sides(
            before,
            after,
            repository.root if repository is not None else None,
            tuple(remotes.values()),
            (*notes, *before.remarks, *after.remarks),
        )


class _Opener:
    def __init__(
        self, start: Path, repository: Repository | None, objects: GitObjects, environ: Mapping[str, str]
    ) -> None:
        self.start, self.repository, self.objects, self.environ = start, repository, objects, environ

    def folder(self, folder: Path, word: str) -> ListedTree:
        # What git ignores in a checkout of its own is no part of it.
        if (folder / ".git").exists():
            return WorkingTree(folder, label=word, environ=self.environ)
        return FolderTree(folder, label=word)

    def head(self, word: str) -> ListedTree:
        if word:
            repository = require(self.repository, self.start, word)
            return GitTree(repository.folder, word, objects=self.objects, environ=self.environ)
        if self.repository is None:
            return FolderTree(self.start)
        if self.repository.root is None:
            raise UsageError(
                f"{self.repository.folder} has no work tree", remedy="Name what is to be checked: --head REF"
            )
        return WorkingTree(self.repository.root, objects=self.objects, environ=self.environ)

    def base(
        self, word: str, remotes: Mapping[str, str], head: ListedTree, *, merge_base: bool
    ) -> tuple[ListedTree, tuple[str, ...]]:
        """The tree and remarks about what it is."""
        repository = require(self.repository, self.start, word)
        said_by = ""
        if not word:
            chosen = default_base(repository, remotes, self.environ)
            word, said_by = chosen.ref, chosen.said_by
        notes = [f"the base {word} is what {said_by} names"] if said_by else []
        tip = commit_of(repository.folder, word, self.environ)
        commit = tip
        if merge_base and isinstance(head, FolderTree):
            notes.append(f"a folder has no history: compared with {word} as it is, not where they parted")
        elif merge_base:
            left = head.commit if isinstance(head, GitTree) else self._head_commit(head)
            commit = _merge_base(repository, word, tip, left, self.environ) if left else tip
        if commit != tip:
            notes.append(
                f"{word} has moved on since: compared with {commit[:7]}, where head left it (the merge base)"
            )
        label = f"{word} ({commit[:7]})"
        tree = GitTree(repository.folder, commit, objects=self.objects, label=label, environ=self.environ)
        return tree, tuple(notes)

    def _head_commit(self, head: ListedTree) -> str:
        """The commit that the work tree was checked out from, empty before the first one."""
        root = head.root if isinstance(head, WorkingTree) else self.start
        return find_commit(root, "HEAD", self.environ)


def _folder(start: Path, word: str) -> Path | None:
    """The folder where the word can be nothing else.

    Raises:
        RepositoryError: there is no such folder.
    """
    if not (word in (".", "..") or word.startswith(("./", "../", "/", "~/"))):
        return None
    folder = start / Path(word).expanduser()
    if not folder.is_dir():
        raise RepositoryError(f"there is no folder {word}", remedy="Give a folder or a git ref.")
    return folder


def _folder_unless_ref(
    start: Path, word: str, repository: Repository | None, environ: Mapping[str, str]
) -> Path | None:
    if not word or not (start / word).is_dir():
        return None
    if repository is not None and find_commit(repository.folder, word, environ):
        return None
    return start / word


def _merge_base(repository: Repository, word: str, base: str, head: str, environ: Mapping[str, str]) -> str:
    output = try_git(repository.folder, "merge-base", base, head, environ=environ)
    if output.exit_code == 0:
        return output.stdout.decode().split()[0]
    if output.exit_code != 1:
        # A partial or damaged clone: the text says which.
        raise git_error(repository.folder, output.stderr)
    if is_shallow(repository, environ):
        raise RepositoryError(
            f"where head left {word} is not in this clone, which holds only the last part of the history",
            remedy="Fetch more: git fetch --deepen=100, or git fetch --unshallow (actions/checkout:"
            f" fetch-depth: 0); or compare with {word} as it is: --no-merge-base",
        )
    raise RepositoryError(
        f"{word} and head have no commit in common",
        remedy=f"Compare with {word} as it is: --no-merge-base",
    )
