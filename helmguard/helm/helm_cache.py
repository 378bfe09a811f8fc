"""Where helmguard keeps the helm it installed at the user's wish."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def helm_cache_folder(environ: Mapping[str, str]) -> Path:
    """``$XDG_CACHE_HOME/helmguard/bin`` (``~/.cache/helmguard/bin``)."""
    base = environ.get("XDG_CACHE_HOME", "")
    if base and Path(base).is_absolute():
        return Path(base) / "helmguard" / "bin"
    return Path(environ.get("HOME") or "~").expanduser() / ".cache" / "helmguard" / "bin"


def cached_helm(environ: Mapping[str, str]) -> Path | None:
    """The installed helm, None where there is none."""
    helm = helm_cache_folder(environ) / "helm"
    return helm if helm.is_file() and os.access(helm, os.X_OK) else None
