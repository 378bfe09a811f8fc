"""The one file: a gzipped tar of small named parts, read in memory and never unpacked.

Nothing of a file from elsewhere is believed before it was looked at: names, kinds and sizes of its members,
how much it unpacks to, and each part's digest.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import tarfile
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from helmguard.errors import SavedPlanError
from helmguard.model.saved_plan_header import FORMAT, FORMAT_NAME, FORMAT_VERSION, SavedPart, SavedPlanHeader

HEADER = "header.json"
_GZIP = b"\x1f\x8b"
_LARGEST = 1 << 29
"""Bytes that a saved plan may unpack to, far more than any chart and plan have."""
_MOST_PARTS = 10_000
_PART = re.compile(r"(?:[a-z]+/)?[\w][\w.+-]*")
_AGAIN = "Copy it again from where it was written, or plan again."


def pack(parts: Mapping[str, bytes]) -> bytes:
    """The parts as a gzipped tar, in their order."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w") as tar,
    ):
        for name, content in parts.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            entry.mode = 0o600
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def unpack(data: bytes, path: str) -> dict[str, bytes]:
    """The parts of such a tar; ``path`` is for errors.

    Raises:
        SavedPlanError: it is damaged, or holds what no saved plan does.
    """
    try:
        return dict(_members(data, path))
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise damaged(path, str(error) or type(error).__name__) from None


def read_parts(path: Path) -> tuple[SavedPlanHeader, dict[str, bytes]]:
    """The header and all parts of a file, each checked by its digest.

    Raises:
        SavedPlanError: there is no such file, it is no saved plan, damaged, or of a newer format.
    """
    data = _content(path)
    if not data.startswith(_GZIP):
        raise SavedPlanError(
            f"{path} is no saved plan", remedy="One is written by: helmguard plan RELEASE CHART --out FILE"
        )
    parts = unpack(data, str(path))
    header = _header(parts.pop(HEADER, None), path)
    if parts.keys() != header.parts.keys():
        lacking, strange = header.parts.keys() - parts.keys(), parts.keys() - header.parts.keys()
        what = f"{min(lacking)} is missing" if lacking else f"{min(strange)} is not in its list of parts"
        raise damaged(path, what)
    for name, content in parts.items():
        if described(content) != header.parts[name]:
            raise damaged(path, f"the content of {name} is not what was written")
    return header, parts


def write_file(path: Path, data: bytes) -> None:
    """Put the data under this name, whole or not at all, readable by this user alone.

    An earlier saved plan is replaced, as by terraform's ``-out``; any other file is not.

    Raises:
        SavedPlanError: there is something else, or the disk does not take it.
    """
    refuse_other_file(path)
    try:
        handle, temporary = tempfile.mkstemp(prefix=".helmguard-plan-", dir=path.parent)
    except OSError as error:
        raise _not_written(path, error) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError as error:
        raise _not_written(path, error) from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def refuse_other_file(path: Path) -> None:
    """Complain where something lies that is no saved plan.

    Raises:
        SavedPlanError: so it is.
    """
    if not path.exists():
        return
    try:
        if path.is_file() and (path.stat().st_size == 0 or _first_member(path) == HEADER):
            return
    except (tarfile.TarError, EOFError, OSError, zlib.error):
        pass
    what = "is a folder" if path.is_dir() else "exists and is no saved plan"
    raise SavedPlanError(f"{path} {what}: it is not overwritten", remedy="Name another file with --out.")


def described(content: bytes) -> SavedPart:
    """Size and digest of a part."""
    return SavedPart(len(content), hashlib.sha256(content).hexdigest())


def damaged(path: Path | str, why: str) -> SavedPlanError:
    """The error for a file that is not as it was written."""
    return SavedPlanError(f"{path} is damaged: {why}", remedy=_AGAIN)


def _first_member(path: Path) -> str:
    with tarfile.open(path, "r|gz") as tar:
        first = tar.next()
        return first.name if first else ""


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise SavedPlanError(
            f"cannot read {path}: {reason}",
            remedy="Name a file that helmguard plan --out wrote.",
        ) from None
    if len(data) > _LARGEST:
        raise damaged(path, f"it has more than {_LARGEST >> 20} MiB")
    return data


class _Limited(io.RawIOBase):
    """Stops a file that unpacks to more than is allowed; headers and padding count, too."""

    def __init__(self, source: gzip.GzipFile, path: str) -> None:
        self._source = source
        self._path = path
        self._left = _LARGEST

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise damaged(self._path, f"it unpacks to more than {_LARGEST >> 20} MiB")
        return data


def _members(data: bytes, path: str) -> Iterator[tuple[str, bytes]]:
    stream = _Limited(gzip.GzipFile(fileobj=io.BytesIO(data)), path)
    seen: set[str] = set()
    with tarfile.open(fileobj=stream, mode="r|") as tar:
        for member in tar:
            # repr: a name may hold anything.
            if not member.isreg() or not _PART.fullmatch(member.name):
                raise damaged(path, f"it holds {member.name!r}, which no saved plan does")
            if member.name in seen or len(seen) >= _MOST_PARTS:
                raise damaged(path, f"it holds {member.name!r} twice, or too many parts")
            if member.size > _LARGEST:
                raise damaged(path, f"{member.name} is larger than {_LARGEST >> 20} MiB")
            seen.add(member.name)
            content = tar.extractfile(member)
            yield member.name, content.read() if content is not None else b""
        # What follows the tar's end is read so that a cut gzip stream is noticed.
        while stream.read(1 << 16):
            pass


def _header(content: bytes | None, path: Path) -> SavedPlanHeader:
    if content is None:
        raise SavedPlanError(f"{path} is no saved plan: it has no {HEADER}", remedy=_AGAIN)
    try:
        document = msgspec.json.decode(content)
        found = str(document["formatVersion"])
        _refuse_format(found, str(document.get("writtenBy") or "another helmguard"), path)
        return msgspec.convert(document, SavedPlanHeader)
    except (msgspec.MsgspecError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise damaged(path, f"{HEADER}: {error}") from None


def _refuse_format(found: str, writer: str, path: Path) -> None:
    if found == FORMAT:
        return
    name, _, version = found.rpartition("/v")
    if name == FORMAT_NAME and version.isdecimal() and int(version) > FORMAT_VERSION:
        raise SavedPlanError(
            f"{path} was written by {writer} in format v{version}; this helmguard reads v{FORMAT_VERSION}",
            remedy="Update helmguard, or plan again with this one.",
        )
    raise SavedPlanError(f"{path} is no saved plan: its format is {found!r}", remedy=_AGAIN)


def _not_written(path: Path, error: OSError) -> SavedPlanError:
    reason = (error.strerror or type(error).__name__).lower()
    return SavedPlanError(
        f"cannot write {path}: {reason}; no saved plan is there that was not there before",
        remedy="Make room, or name a place that can be written with --out.",
    )
