"""The repository that a folder lies in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import msgspec

from helmguard.errors import RepositoryError
from helmguard.repository.git_command import git_error, run_git, try_git


class Repository(msgspec.Struct, frozen=True):
    """``folder`` is where git is run: the work tree's root, or the repository itself where it is ``bare``."""

    folder: Path
    bare: bool

    @property
    def root(self) -> Path | None:
        """The root of the work tree, None where there is none."""
        return None if self.bare else self.folder


def find_repository(start: Path, environ: Mapping[str, str] | None = None) -> Repository | None:
    """The repository around a folder, None where there is none.

    Raises:
        RepositoryError: git is missing, or does not read the repository.
    """
    top = try_git(start, "rev-parse", "--show-toplevel", environ=environ)
    if top.exit_code == 0:
        return Repository(Path(top.stdout.decode(errors="surrogateescape").rstrip("\n")), bare=False)
    if "not a git repository" in top.stderr:
        return None
    if "must be run in a work tree" not in top.stderr:
        raise git_error(start, top.stderr)
    inside = run_git(start, "rev-parse", "--absolute-git-dir", environ=environ)
    return Repository(Path(inside.decode(errors="surrogateescape").rstrip("\n")), bare=True)


def is_shallow(repository: Repository, environ: Mapping[str, str] | None = None) -> bool:
    """Whether the clone holds only the last part of the history."""
    answer = try_git(repository.folder, "rev-parse", "--is-shallow-repository", environ=environ)
    return answer.stdout.strip() == b"true"


def remote_urls(repository: Repository, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The remotes' names and URLs, without user names and passwords."""
    words = ("config", "-z", "--get-regexp", r"^remote\..*\.url$")
    output = try_git(repository.folder, *words, environ=environ)
    found: dict[str, str] = {}
    for line in output.stdout.decode(errors="replace").split("\0"):
        key, _, url = line.partition("\n")
        if url:
            found.setdefault(key.removeprefix("remote.").removesuffix(".url"), without_credentials(url))
    return found


def without_credentials(url: str) -> str:
    """A URL without the user and password in it; other ways to write an address are left alone."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if parts.scheme not in ("http", "https") or "@" not in parts.netloc:
        return url
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def remote_name(remotes: Mapping[str, str]) -> str:
    """The remote that branches are compared with: ``origin``, else the only one."""
    return next(iter(remotes)) if len(remotes) == 1 else "origin"


def require(repository: Repository | None, start: Path, word: str) -> Repository:
    """The repository, which a ref needs.

    Raises:
        RepositoryError: there is none.
    """
    if repository is None:
        raise RepositoryError(
            f"{word!r} is no folder, and {start} is in no git repository",
            remedy="Run it inside the repository, or give two folders: --base DIR --head DIR",
        )
    return repository
