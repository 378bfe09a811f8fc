"""One side of a change as files. Paths are relative to the repository's root, with ``/``."""

from __future__ import annotations

import hashlib
import posixpath
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Protocol


class Tree(Protocol):
    """What readers need of one side; `helmguard.repository` has the real ones.

    ``label`` names the side for people. Symbolic links inside the tree are followed: a link is listed with
    the content of what it leads to, a link that leads out of the tree is not listed.
    """

    @property
    def label(self) -> str:
        """``origin/main (3f2a9c1)``, ``the working tree``."""
        ...

    @property
    def entries(self) -> Mapping[str, str]:
        """Every file's path, in the order of the paths, and the git blob id of its content."""
        ...

    @property
    def linked(self) -> frozenset[str]:
        """The paths that lead through a link: the same files stand in ``entries`` under their own paths."""
        ...

    def read(self, path: str) -> bytes:
        """A file's content.

        Raises:
            KeyError: there is no such file.
        """
        ...


class Paths:
    """The sorted paths of a tree, to look into folders without going through all."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._sorted = sorted(tree.entries)

    def under(self, folder: str) -> Iterator[str]:
        """The files in a folder and below; all for the empty path."""
        prefix = f"{folder}/" if folder not in ("", ".") else ""
        for index in range(bisect_left(self._sorted, prefix), len(self._sorted)):
            if not self._sorted[index].startswith(prefix):
                return
            yield self._sorted[index]

    def inside(self, folder: str) -> Iterator[str]:
        """The files right in a folder, not below."""
        return (path for path in self.under(folder) if posixpath.dirname(path) == folder.rstrip("/"))

    def is_folder(self, path: str) -> bool:
        """Whether any file is below."""
        return next(self.under(path), None) is not None

    def digest(self, folder: str) -> str:
        """A digest over the names and contents below; the same files under another name have the same."""
        digest = hashlib.sha256()
        entries = self.tree.entries
        for path in self.under(folder):
            digest.update(f"{path.removeprefix(folder)}\0{entries[path]}\n".encode())
        return digest.hexdigest()


def joined(folder: str, relative: str) -> str | None:
    """The path that ``relative`` means seen from ``folder``; None where it leads out of the tree.

    ``.`` and the root are the empty path.
    """
    path = posixpath.normpath(posixpath.join(folder, relative)) if relative else folder
    if path == ".." or path.startswith(("../", "/")):
        return None
    return "" if path == "." else path
