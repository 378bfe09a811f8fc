"""The files of a chart archive, with Helm's limits (helm/helm@v3.22.0 pkg/chart/loader/archive.go)."""

from __future__ import annotations

import gzip
import io
import posixpath
import re
import tarfile
import zlib
from collections.abc import Iterable
from pathlib import Path

from helmguard.errors import ChartError
from helmguard.values.chart import ChartFile
from helmguard.values.differences import HelmDialect
from helmguard.values.go_format import quote

MAX_CHART_SIZE = 100 * 1024 * 1024
"""Bytes, of all files of an archive together."""

BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b\x08"
_DRIVE = re.compile(r"[a-zA-Z]:/")


class NotGzipError(ChartError):
    """The data does not begin as gzip does."""


def read_archive(data: bytes, dialect: HelmDialect) -> list[ChartFile]:
    """The files of a gzipped tar, without the folder they all lie in.

    Raises:
        ChartError: no archive, a name that leads out of it, or more data than Helm takes.
    """
    if not data.startswith(_GZIP[:2]):
        raise NotGzipError("gzip: invalid header", remedy="name a chart archive made by helm package")
    files: list[ChartFile] = []
    remaining = MAX_CHART_SIZE
    try:
        with tarfile.open(fileobj=_Limited(gzip.GzipFile(fileobj=io.BytesIO(data))), mode="r|") as archive:
            for member in archive:
                if member.isdir() or member.name.endswith("/"):
                    continue
                name = _inner_name(member.name)
                content = _content(archive, member, remaining, dialect)
                remaining -= len(content)
                if remaining <= 0:
                    raise _too_large(dialect)
                files.append(ChartFile(name, content.removeprefix(BOM)))
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ChartError(
            f"cannot read the chart archive: {error}", remedy="fetch the archive again"
        ) from None
    if not files:
        raise ChartError("no files in chart archive", remedy="name a chart archive made by helm package")
    return files


def write_archive(files: Iterable[ChartFile], archive: Path) -> Path:
    """Write a chart archive for one run of helm, readable by this user alone: values hold secrets."""
    archive.touch(mode=0o600)
    # Little compression: it is read once, at once.
    with tarfile.open(archive, "w:gz", compresslevel=1) as tar:
        for file in files:
            entry = tarfile.TarInfo(f"chart/{file.name}")
            entry.size = len(file.data)
            entry.mode = 0o600
            # Helm 4 stores it with the file, to the nanosecond.
            seconds, rest = divmod(file.modified, 10**9)
            entry.pax_headers = {"mtime": f"{seconds}.{rest:09}"}
            tar.addfile(entry, io.BytesIO(file.data))
    return archive


class _Limited(io.RawIOBase):
    """A reader that stops a decompression bomb: tar headers and padding are read through it too."""

    def __init__(self, source: gzip.GzipFile) -> None:
        self.source = source
        self.left = 2 * MAX_CHART_SIZE

    def read(self, size: int = -1) -> bytes:
        data = self.source.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise ChartError(f"decompressed chart is larger than the maximum file size {MAX_CHART_SIZE}")
        return data


def _content(
    archive: tarfile.TarFile, member: tarfile.TarInfo, remaining: int, dialect: HelmDialect
) -> bytes:
    if member.size > remaining:
        raise _too_large(dialect)
    if dialect.file_size_limit and member.size > dialect.file_size_limit:
        raise ChartError(
            f"decompressed chart file {quote(member.name)} is larger than"
            f" the maximum file size {dialect.file_size_limit}",
            remedy="take the file out of the chart",
        )
    stream = archive.extractfile(member) if member.isreg() else None
    return stream.read() if stream is not None else b""


def _too_large(dialect: HelmDialect) -> ChartError:
    return ChartError(
        f"decompressed chart is larger than the {dialect.size_words} {MAX_CHART_SIZE}",
        remedy="take large files out of the chart",
    )


def _inner_name(name: str) -> str:
    delimiter = "\\" if "\\" in name else "/"
    first, _, rest = name.partition(delimiter)
    inner = rest.replace(delimiter, "/")
    if inner.startswith("/"):
        raise ChartError("chart illegally contains absolute paths")
    inner = posixpath.normpath(inner) if inner else "."
    if inner == ".":
        raise ChartError(f"chart illegally contains content outside the base directory: {quote(name)}")
    if inner.startswith(".."):
        raise ChartError("chart illegally references parent directory")
    if _DRIVE.match(inner):
        raise ChartError("chart contains illegally named files")
    if first == "Chart.yaml":
        raise ChartError("chart yaml not in base directory")
    return inner
