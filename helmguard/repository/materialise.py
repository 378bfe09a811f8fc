"""Writing a folder of a tree to disk, for programs that read files."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from helmguard.errors import RepositoryError
from helmguard.repository.listed_tree import ListedTree


class Files(Protocol):
    """What is needed of a tree."""

    @property
    def entries(self) -> Mapping[str, str]:
        """Every file's path and the id of its content."""
        ...

    def read(self, path: str) -> bytes:
        """A file's content."""
        ...


def materialise(tree: Files, folder: str, into: Path) -> Path:
    """Write the files below a folder of a tree (the empty path is all of it) into ``into``; gives ``into``.

    Links are written as the files they lead to. Only files that may be run keep their mode.

    Raises:
        RepositoryError: the folder is not there or is no folder, or a name would lead out of ``into``.
    """
    prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
    executables = tree.executables if isinstance(tree, ListedTree) else frozenset()
    paths = [path for path in tree.entries if path.startswith(prefix)]
    if not paths:
        raise RepositoryError(f"there is no folder {folder!r}")
    made: set[str] = set()
    for path in paths:
        name = path.removeprefix(prefix)
        if not _stays_inside(name):
            raise RepositoryError(f"{path!r} would lead out of the folder that it is written to")
        parent = posixpath.dirname(name)
        if parent not in made:
            (into / parent).mkdir(parents=True, exist_ok=True)
            made.add(parent)
        target = into / name
        if target.is_symlink():
            raise RepositoryError(f"{target} is a link; nothing is written through it")
        target.write_bytes(tree.read(path))
        if path in executables:
            target.chmod(0o755)
    return into


def _stays_inside(name: str) -> bool:
    return not any(part in ("", ".", "..") or "\0" in part for part in name.split("/"))
