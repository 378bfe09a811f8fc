"""The files of a folder on this machine."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from helmguard.errors import RepositoryError
from helmguard.repository.blob_id import file_blob_id
from helmguard.repository.listed_tree import EXECUTABLE, FILE, LINK, ListedFile, ListedTree, shown_name


class FolderTree(ListedTree):
    """All regular files below a folder, ``.git`` left out."""

    def __init__(self, folder: Path, *, label: str = "") -> None:
        """Raises:
        RepositoryError: there is no such folder, or a file in it cannot be read.
        """
        if not folder.is_dir():
            raise RepositoryError(f"{folder} is no folder", remedy="Give a git ref or a folder.")
        self.folder = folder
        listed: dict[str, ListedFile] = {}
        links: dict[str, str] = {}
        try:
            for name in _names(folder):
                file = file_on_disk(folder, name)
                if file is not None:
                    listed[shown_name(name)] = file
                    if file.mode == LINK:
                        links[shown_name(name)] = link_text(folder, name)
        except OSError as error:
            raise unreadable(error) from None
        super().__init__(label or str(folder), listed, links)

    def _content(self, file: ListedFile) -> bytes:
        return content_on_disk(self.folder, file.name)


def _names(folder: Path) -> list[bytes]:
    found = []

    def fail(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise error

    for where, folders, files in os.walk(folder, onerror=fail):
        inside = Path(where).relative_to(folder)
        folders[:] = [name for name in folders if name != ".git"]
        found += [os.fsencode(inside / name) for name in files if name != ".git"]
        found += [os.fsencode(inside / name) for name in folders if (Path(where) / name).is_symlink()]
    return found


def file_on_disk(root: Path, name: bytes, algorithm: str = "sha1") -> ListedFile | None:
    """A file as it is on disk; None where there is none, or something that is neither file nor link.

    Raises:
        OSError: it cannot be read.
    """
    path = root / os.fsdecode(name)
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            return ListedFile("", LINK, name)
        if not stat.S_ISREG(mode):
            return None
        return ListedFile(file_blob_id(path, algorithm), EXECUTABLE if mode & 0o100 else FILE, name)
    except (FileNotFoundError, NotADirectoryError):
        return None


def link_text(root: Path, name: bytes) -> str:
    """What a link says; where links are not checked out as links, a file says it.

    Raises:
        OSError: it cannot be read.
    """
    path = root / os.fsdecode(name)
    return shown_name(os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes())


def content_on_disk(root: Path, name: bytes) -> bytes:
    """The content of a file.

    Raises:
        RepositoryError: it cannot be read, or is a link by now.
    """
    path = root / os.fsdecode(name)
    try:
        # A link that came after the listing may lead anywhere.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            return file.read()
    except OSError as error:
        raise unreadable(error) from None


def unreadable(error: OSError) -> RepositoryError:
    """The error for a file or folder that cannot be read."""
    return RepositoryError(f"cannot read {error.filename}: {(error.strerror or str(error)).lower()}")
