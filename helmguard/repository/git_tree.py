"""A commit's files, straight from the object database: no checkout, and no look at the history."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from helmguard.errors import RepositoryError
from helmguard.manifest.pointers import submodule_content
from helmguard.repository.git_command import run_git, try_git
from helmguard.repository.git_objects import GitObjects
from helmguard.repository.listed_tree import LINK, SUBMODULE, ListedFile, ListedTree, shown_name
from helmguard.repository.pointers import lfs_content


class GitTree(ListedTree):
    """The files of a commit, of all of it or of a folder in it.

    ``repository`` is a work tree or a bare repository. ``objects`` may be shared; without them the tree has
    its own, which `close` ends. ``label`` is ``ref (commit)`` unless given.
    """

    def __init__(
        self,
        repository: Path,
        ref: str,
        subfolder: str = "",
        *,
        objects: GitObjects | None = None,
        label: str = "",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """Raises:
        RepositoryError: there is no such commit or folder, or no repository.
        """
        self.commit = commit_of(repository, ref, environ)
        self._objects = objects or GitObjects(repository, environ)
        self._git_folder = common_git_folder(repository, environ)
        listed = _listing(repository, self.commit, subfolder.strip("/"), environ)
        links = {
            path: shown_name(self._objects.read(file.blob))
            for path, file in listed.items()
            if file.mode == LINK
        }
        super().__init__(label or f"{ref} ({self.commit[:7]})", listed, links)

    def close(self) -> None:
        """End the git process that reads."""
        self._objects.close()

    def _content(self, file: ListedFile) -> bytes:
        if file.mode == SUBMODULE:
            return submodule_content(file.blob)
        return lfs_content(self._objects.read(file.blob), self._git_folder)


def find_commit(repository: Path, ref: str, environ: Mapping[str, str] | None = None) -> str:
    """The id of the commit that a ref names, empty where it names none."""
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    output = try_git(repository, *words, environ=environ)
    return output.stdout.decode().strip() if output.exit_code == 0 and ref else ""


def commit_of(repository: Path, ref: str, environ: Mapping[str, str] | None = None) -> str:
    """The id of the commit that a ref names.

    Raises:
        RepositoryError: it names none here.
    """
    commit = find_commit(repository, ref, environ)
    if not commit:
        common_git_folder(repository, environ)
        raise RepositoryError(
            f"{ref!r} is no commit of the repository {repository}, and no folder",
            remedy="Check the name; a branch of the remote is origin/NAME, and has to be fetched.",
        )
    return commit


def common_git_folder(repository: Path, environ: Mapping[str, str] | None = None) -> Path:
    """The folder with the object database, shared by all work trees of the repository.

    Raises:
        RepositoryError: there is no repository.
    """
    answer = run_git(repository, "rev-parse", "--git-common-dir", environ=environ)
    return repository / answer.decode(errors="surrogateescape").rstrip("\n")


def _listing(
    repository: Path, commit: str, subfolder: str, environ: Mapping[str, str] | None
) -> dict[str, ListedFile]:
    treeish = f"{commit}:{subfolder}" if subfolder else commit
    output = try_git(repository, "ls-tree", "-r", "-z", "--full-tree", treeish, environ=environ)
    if output.exit_code != 0:
        if "promisor" in output.stderr:
            raise RepositoryError(
                f"what commit {commit[:7]} holds is not all in the clone {repository}",
                remedy="Clone without --filter, or fetch what is missing: git fetch --refetch",
            )
        where = f"folder {subfolder!r} in commit {commit[:7]}" if subfolder else f"commit {commit[:7]}"
        raise RepositoryError(f"cannot list {where} of {repository}: {output.stderr.strip()[:200]}")
    listed = {}
    for line in output.stdout.split(b"\0"):
        if not line:
            continue
        about, _, name = line.partition(b"\t")
        mode, _, blob = about.split()
        listed[shown_name(name)] = ListedFile(blob.decode(), int(mode, 8))
    return listed
