"""Fetched charts between runs: exact versions and digests alone, since all else changes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import BinaryIO

from helmguard.check.cache_file import write_cache_file
from helmguard.check.chart_address import address_digest, is_exact
from helmguard.model.declared_release import ChartNeed

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def cached_path(cache: Path | None, need: ChartNeed) -> Path | None:
    """Where the archive is, or would be; None where the need is for no exact version."""
    if cache is None:
        return None
    if need.digest:
        name = need.digest.replace(":", "-") if _DIGEST.fullmatch(need.digest) else ""
    else:
        name = need.version if is_exact(need.version) else ""
    return cache / "charts" / address_digest(need) / f"{name}.tgz" if name else None


def keep(archive: Path, path: Path) -> None:
    """Put an archive into the cache; where that is not possible it is fetched again next time."""

    def copy(file: BinaryIO) -> None:
        with archive.open("rb") as source:
            shutil.copyfileobj(source, file)

    write_cache_file(path, copy)
