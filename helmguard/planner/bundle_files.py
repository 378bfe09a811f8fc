"""Opening a bundle: a folder or a .tar.gz of one; JSON files with errors that name them."""

from __future__ import annotations

import json
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helmguard.errors import BundleError

_LARGEST_ARCHIVE_BYTES = 1 << 30


@contextmanager
def open_bundle_folder(path: str | Path) -> Iterator[Path]:
    """The bundle's folder; that of an archive is temporary.

    Raises:
        BundleError: there is no such bundle, or the archive is damaged.
    """
    place = Path(path)
    if place.is_dir():
        yield place
        return
    if not place.exists():
        raise BundleError(
            f"no such bundle: {place}", remedy="Write one with: helmguard bundle RELEASE CHART -o DIR"
        )
    with tempfile.TemporaryDirectory(prefix="helmguard-bundle-") as folder:
        _unpack(place, Path(folder))
        yield _root(Path(folder))


def read_json(folder: Path, name: str) -> Any:
    """The JSON file ``name``, None where the bundle has none.

    Raises:
        BundleError: the file is damaged.
    """
    path = folder / name
    if not path.exists():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BundleError(f"{path}: damaged JSON ({error})", remedy="Write the bundle again.") from None


def _unpack(archive: Path, folder: Path) -> None:
    try:
        opened = tarfile.open(archive, "r:*")  # noqa: SIM115 - closed below
    except tarfile.TarError:
        raise BundleError(
            f"{archive}: neither a bundle's folder nor a .tar.gz archive of one",
            remedy="Write one with: helmguard bundle RELEASE CHART -o DIR",
        ) from None
    try:
        with opened as tar:
            members = tar.getmembers()
            if sum(member.size for member in members) > _LARGEST_ARCHIVE_BYTES:
                raise BundleError(f"{archive}: unpacks to more than 1 GiB")
            tar.extractall(folder, members=members, filter="data")
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise BundleError(
            f"{archive}: damaged archive ({error})", remedy="Copy or write the bundle again."
        ) from None


def _root(folder: Path) -> Path:
    """An archive may hold the bundle's files at its top or one folder deeper."""
    entries = list(folder.iterdir())
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else folder
