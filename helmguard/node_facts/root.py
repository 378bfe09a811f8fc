"""A node's file system below some folder, read as a chroot there would see it, and never written.

Links are followed by their text, absolute ones from the root on and ``..`` never above it, so that neither
files of another root nor those of this machine get into a node's facts. Nothing that is opened is a pipe or a
device, and every answer is bounded.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

_MOST_HOPS = 40
"""Links that one path may lead through, as Linux has it."""
LARGEST_TEXT = 1 << 20
"""Bytes of a file whose text is collected: a CDI spec of 16 GPUs has some 100 KiB."""
MOST_NAMES = 4096
"""Names of one folder that are looked at."""

Kind = Literal["file", "folder", "device", "other"]


class ReadError(Exception):
    """Something that is there, or may be, and cannot be read; the argument says why, in words."""


class NotGivenError(ReadError):
    """The path is in none of the mounts that were given: whether it is there is not known."""

    def __init__(self) -> None:
        super().__init__("it is not among what was mounted")


class Found(msgspec.Struct, frozen=True):
    """What a path leads to: ``path`` is the node's own, with no link in it."""

    path: str
    kind: Kind
    mode: int


class NodeRoot:
    """``mounted`` are folders of the node: then nothing but what is in them was given to be read.

    None where everything below the root is the node's. ``kernel`` is where this kernel's ``/proc`` and
    ``/sys`` are read: in a pod they are its own, whatever was mounted.
    """

    def __init__(
        self, folder: Path, mounted: Sequence[str] | None = None, kernel: NodeRoot | None = None
    ) -> None:
        self.folder = folder
        self.kernel = kernel or self
        self.mounted = None if mounted is None else tuple(mounted)
        self._base = str(folder).rstrip("/")
        self.host = self._base == ""
        """Whether it is this machine itself."""

    def covers(self, path: str) -> bool:
        """Whether the path is absent on the node if it is absent here."""
        return self.mounted is None or any(path == one or path.startswith(f"{one}/") for one in self.mounted)

    def has_part(self, path: str) -> bool:
        """Whether the first folder of a path is there: a copy of ``/etc`` alone tells nothing of ``/usr``."""
        return os.path.lexists(f"{self._base}/{path.strip('/').split('/')[0]}")

    def find(self, path: str) -> Found | None:
        """What the path leads to; None where it leads nowhere.

        Raises:
            ReadError: that cannot be told: no right to look, links in circles, or nothing of it was given.
        """
        try:
            return self._find(path)
        except FileNotFoundError as error:
            where = str(error.filename)
            if not self.covers(where):
                raise NotGivenError from None
            return None
        except NotADirectoryError:
            return None
        except (OSError, ValueError) as error:
            raise ReadError(reason(error)) from None

    def _find(self, path: str) -> Found:
        parts = deque(part for part in path.split("/") if part not in ("", "."))
        done: list[str] = []
        mode = stat.S_IFDIR | 0o755
        hops = 0
        while parts:
            part = parts.popleft()
            if part in ("", "."):
                continue
            if part == "..":
                if done:
                    done.pop()
                continue
            here = "/" + "/".join([*done, part])
            try:
                mode = os.lstat(self._base + here).st_mode
            except FileNotFoundError:
                raise FileNotFoundError(2, "no such file", "/".join([here, *parts])) from None
            if stat.S_ISLNK(mode):
                hops += 1
                if hops > _MOST_HOPS:
                    raise ReadError("its links lead in circles")
                target = os.readlink(self._base + here)  # noqa: PTH115 - the text, not a path of this machine
                if target.startswith("/"):
                    done.clear()
                parts.extendleft(reversed(target.split("/")))
                continue
            if parts and not stat.S_ISDIR(mode):
                raise NotADirectoryError
            done.append(part)
        if not done or hops:
            # A path may end in "..": what it leads to is then a folder that was passed before.
            mode = os.lstat(self._base + "/" + "/".join(done)).st_mode
        return Found("/" + "/".join(done), _kind(mode), mode)

    def exists(self, path: str) -> bool:
        """Whether something is known to be there."""
        try:
            return self.find(path) is not None
        except ReadError:
            return False

    def read_bytes(self, path: str, limit: int = LARGEST_TEXT) -> bytes | None:
        """The file's content; None where it is absent.

        Raises:
            ReadError: it is no file, larger than the limit, or may not be read.
        """
        content = self.read_start(path, limit + 1)
        if content is not None and len(content) > limit:
            raise ReadError(f"it has more than {_size(limit)}")
        return content

    def read_start(self, path: str, size: int) -> bytes | None:
        """The first bytes of a file; None where it is absent.

        Raises:
            ReadError: it is no file, or may not be read.
        """
        found = self.find(path)
        if found is None:
            return None
        if found.kind != "file":
            raise ReadError("it is a folder" if found.kind == "folder" else "it is no regular file")
        try:
            with os.fdopen(self._open(found), "rb") as file:
                return _read_up_to(file.read, size)
        except OSError as error:
            raise ReadError(reason(error)) from None

    def read_text(self, path: str, limit: int = LARGEST_TEXT) -> str:
        """The text of a small file, empty where it is absent or cannot be read."""
        try:
            content = self.read_bytes(path, limit)
        except ReadError:
            return ""
        return (content or b"").decode("utf-8", "surrogateescape")

    def chunks(self, path: str, most: int, size: int = 1 << 20) -> Iterator[bytes]:
        """A large file piece by piece, up to so many bytes; nothing where it cannot be read."""
        try:
            found = self.find(path)
            if found is None or found.kind != "file":
                return
            with os.fdopen(self._open(found), "rb") as file:
                while most > 0 and (chunk := file.read(min(size, most))):
                    most -= len(chunk)
                    yield chunk
        except (ReadError, OSError):
            return

    def names(self, path: str) -> list[str] | None:
        """The names in a folder, sorted; None where there is no such folder.

        Raises:
            ReadError: it may not be listed, or has more than `MOST_NAMES`.
        """
        found = self.find(path)
        if found is None or found.kind != "folder":
            return None
        names: list[str] = []
        try:
            with os.scandir(self._base + found.path) as entries:
                for entry in entries:
                    if len(names) >= MOST_NAMES:
                        raise ReadError(f"it has more than {MOST_NAMES} names")
                    names.append(entry.name)
        except OSError as error:
            raise ReadError(reason(error)) from None
        return sorted(names)

    def names_if_any(self, path: str) -> list[str]:
        """The names in a folder; none where it is not there or cannot be listed."""
        try:
            return self.names(path) or []
        except ReadError:
            return []

    def on_disk(self, path: str) -> str:
        """Where a path without links is on this machine."""
        return self._base + path

    def _open(self, found: Found) -> int:
        # The path has no links; should somebody put a link or a pipe there meanwhile, it is not followed or
        # waited for.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
        handle = os.open(self._base + found.path, flags)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise ReadError("it is no regular file")
        return handle


def node_root(folder: Path, mounted: Sequence[str] | None = None) -> NodeRoot:
    """The root of a node at a folder.

    In a pod that has some of the host's folders mounted below ``folder`` (and not the whole root there), what
    is in no mount is not absent on the node: it was not given. Which mounts there are, ``/proc`` tells.
    """
    base = os.path.realpath(folder)
    if mounted is not None or base == "/":
        return NodeRoot(Path(base), mounted)
    points = _mount_points()
    below = [point.removeprefix(base) for point in points if point.startswith(f"{base}/")]
    if not below or base in points:
        return NodeRoot(Path(base))
    return NodeRoot(Path(base), below, NodeRoot(Path("/")))


def reason(error: Exception) -> str:
    """Why something could not be read, in words."""
    if isinstance(error, PermissionError):
        return "no right to read it"
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return "its name cannot be a path"


def _mount_points() -> list[str]:
    """This process's mounts, from ``/proc/self/mountinfo`` (proc_pid_mountinfo(5): the fifth field)."""
    try:
        lines = (
            Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        )
    except OSError:
        return []
    fields = (line.split(" ") for line in lines)
    return [_unescaped(found[4]) for found in fields if len(found) > 4]


def _unescaped(text: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text


def _read_up_to(read: Callable[[int], bytes], size: int) -> bytes:
    """Files of ``/proc`` give less than was asked for before their end."""
    parts: list[bytes] = []
    left = size
    while left > 0:
        chunk = read(left)
        if not chunk:
            break
        parts.append(chunk)
        left -= len(chunk)
    return b"".join(parts)


def _kind(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "device" if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) else "other"


def _size(limit: int) -> str:
    return f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"
