"""What all kinds of trees have in common: a listing, and links that are followed in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import msgspec

from helmguard.repository.links import linked_files

FILE, EXECUTABLE, LINK, SUBMODULE = 0o100644, 0o100755, 0o120000, 0o160000


class ListedFile(msgspec.Struct, frozen=True):
    """One entry as git lists it; ``name`` is the path as the tree's store knows it."""

    blob: str
    mode: int = FILE
    name: bytes = b""


class ListedTree(ABC):
    """One side of a change; it is a `helmguard.gitops.tree.Tree`.

    ``executables`` are the paths of files that may be run, ``remarks`` what was left out.
    A submodule is a file that says what it is (see `helmguard.manifest.pointers`).
    """

    def __init__(self, label: str, listed: Mapping[str, ListedFile], links: Mapping[str, str]) -> None:
        """``links``: what the links among ``listed`` say."""
        self.label = label
        self.remarks: tuple[str, ...] = ()
        files = {path: file for path, file in listed.items() if file.mode != LINK}
        through = linked_files(tuple(files), links)
        files.update((path, files[real]) for path, real in through.items())
        self._files = {path: files[path] for path in sorted(files)}
        self._linked = frozenset(through)
        self._entries = {path: file.blob for path, file in self._files.items()}

    @property
    def entries(self) -> Mapping[str, str]:
        """Every file's path, in the order of the paths, and the git blob id of its content."""
        return self._entries

    @property
    def linked(self) -> frozenset[str]:
        """The paths that lead through a link."""
        return self._linked

    @property
    def executables(self) -> frozenset[str]:
        """The files that may be run."""
        return frozenset(path for path, file in self._files.items() if file.mode == EXECUTABLE)

    def read(self, path: str) -> bytes:
        """A file's content.

        Raises:
            KeyError: there is no such file.
            RepositoryError: it cannot be read.
        """
        return self._content(self._files[path])

    @abstractmethod
    def _content(self, file: ListedFile) -> bytes:
        """The content of a file of the list."""


def shown_name(name: bytes) -> str:
    """A path as text; bytes that are no UTF-8 are spelled out."""
    return name.decode("utf-8", "backslashreplace")
