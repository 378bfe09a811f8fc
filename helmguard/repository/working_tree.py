"""The files of a work tree as they are on disk: what a commit of all of it would hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from helmguard.errors import RepositoryError
from helmguard.manifest.pointers import submodule_content
from helmguard.repository.folder_tree import content_on_disk, file_on_disk, link_text, unreadable
from helmguard.repository.git_command import run_git
from helmguard.repository.git_objects import GitObjects
from helmguard.repository.git_tree import find_commit
from helmguard.repository.listed_tree import LINK, SUBMODULE, ListedFile, ListedTree, shown_name


class WorkingTree(ListedTree):
    """Tracked files as they are on disk, and untracked ones that are not ignored; deleted ones are gone.

    The ids of files that are as the index has them are the index's: only the others are read. Files that a
    sparse checkout leaves out are read from the object database.
    """

    def __init__(
        self,
        root: Path,
        *,
        objects: GitObjects | None = None,
        label: str = "the working tree",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """Raises:
        RepositoryError: there is no work tree, or a file cannot be read.
        """
        self.root = root
        self._objects = objects or GitObjects(root, environ)
        index = list(_index(root, environ))
        listed = {entry.name: ListedFile(entry.blob, entry.mode, entry.name) for entry in index}
        self._left_out = frozenset(entry.name for entry in index if entry.left_out)
        algorithm = "sha256" if any(len(entry.blob) == 64 for entry in index) else "sha1"
        nested: list[str] = []
        links: dict[str, str] = {}
        try:
            for name, gone in _differing(root, environ):
                if name.endswith(b"/"):
                    nested.append(shown_name(name.rstrip(b"/")))
                    continue
                entry = listed.pop(name, None)
                changed = None if gone else _on_disk(root, name, entry, algorithm, environ)
                if changed is not None:
                    listed[name] = changed
            for name, file in listed.items():
                if file.mode == LINK:
                    links[shown_name(name)] = self._link(name, file)
        except OSError as error:
            raise unreadable(error) from None
        super().__init__(label, {shown_name(name): file for name, file in listed.items()}, links)
        self.remarks = tuple(
            f"{path} is a repository of its own and no submodule: left out" for path in nested
        )

    def close(self) -> None:
        """End the git process that reads what is not checked out."""
        self._objects.close()

    def _link(self, name: bytes, file: ListedFile) -> str:
        if name in self._left_out:
            return shown_name(self._objects.read(file.blob))
        return link_text(self.root, name)

    def _content(self, file: ListedFile) -> bytes:
        if file.mode == SUBMODULE:
            return submodule_content(file.blob)
        if file.name in self._left_out:
            return self._objects.read(file.blob)
        return content_on_disk(self.root, file.name)


class _Indexed(msgspec.Struct, frozen=True):
    name: bytes
    blob: str
    mode: int
    left_out: bool


def _index(root: Path, environ: Mapping[str, str] | None) -> Iterator[_Indexed]:
    """The index; a file in conflict comes several times."""
    output = run_git(root, "ls-files", "-s", "-t", "-z", environ=environ)
    for line in output.split(b"\0"):
        if line:
            about, _, name = line.partition(b"\t")
            state, mode, blob, _ = about.split()
            yield _Indexed(name, blob.decode(), int(mode, 8), left_out=state == b"S")


def _differing(root: Path, environ: Mapping[str, str] | None) -> Iterator[tuple[bytes, bool]]:
    """Files that are not as the index has them, and untracked ones; a nested repository ends in a slash.

    With each, whether it is gone: what is found under its name may lie behind a link by now.
    """
    words = ("--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty")
    # See git-status(1), "Porcelain Format Version 2".
    for line in run_git(root, "status", *words, environ=environ).split(b"\0"):
        if line.startswith(b"? "):
            yield line[2:], False
        elif line.startswith(b"u "):
            yield line.split(b" ", 10)[10], False
        elif line.startswith(b"1 ") and line[3:4] != b".":
            yield line.split(b" ", 8)[8], line[3:4] == b"D"


def _on_disk(
    root: Path, name: bytes, entry: ListedFile | None, algorithm: str, environ: Mapping[str, str] | None
) -> ListedFile | None:
    if entry is not None and entry.mode == SUBMODULE:
        commit = _submodule_commit(root, name, environ)
        return ListedFile(commit, SUBMODULE, name) if commit else None
    return file_on_disk(root, name, algorithm)


def _submodule_commit(root: Path, name: bytes, environ: Mapping[str, str] | None) -> str:
    folder = root / name.decode("utf-8", "surrogateescape")
    try:
        return find_commit(folder, "HEAD", environ) if (folder / ".git").exists() else ""
    except RepositoryError:
        return ""
