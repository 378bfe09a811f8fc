"""Fetched charts between runs: exact versions and digests alone, since all else changes."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from pathlib import Path

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
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file, archive.open("rb") as source:
                shutil.copyfileobj(source, file)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
