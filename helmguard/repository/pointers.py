"""Contents that git keeps beside its objects."""

from __future__ import annotations

import hashlib
from pathlib import Path

from helmguard.manifest.pointers import lfs_pointer


def lfs_content(data: bytes, git_folder: Path) -> bytes:
    """What an LFS pointer stands for where the clone has it, else ``data`` as it is."""
    pointer = lfs_pointer(data)
    if pointer is None:
        return data
    object_id = pointer[1].decode()
    stored = git_folder / "lfs" / "objects" / object_id[:2] / object_id[2:4] / object_id
    try:
        found = stored.read_bytes()
    except OSError:
        return data
    return found if hashlib.sha256(found).hexdigest() == object_id else data
