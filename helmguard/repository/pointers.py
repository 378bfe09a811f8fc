"""Files that stand for contents which are elsewhere."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

_LFS = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n"
)
_SUBMODULE = b"helmguard: a git submodule at commit "
_GIT_CRYPT = b"\0GITCRYPT\0"
_LONGEST_POINTER = 1024


def submodule_content(commit: str) -> bytes:
    """What is read where a submodule is."""
    return _SUBMODULE + commit.encode() + b"\n"


def why_not_content(data: bytes) -> str:
    """Why a file does not hold what its name says, as the end of a sentence; empty where it does."""
    if data.startswith(_SUBMODULE):
        return f"is a git submodule (commit {data.removeprefix(_SUBMODULE)[:12].decode()}), not read"
    if data.startswith(_GIT_CRYPT):
        return "is encrypted by git-crypt"
    pointer = _lfs(data)
    if pointer is not None:
        return f"is a Git LFS pointer; its {int(pointer[2])} bytes are not in this clone (git lfs pull)"
    return ""


def lfs_content(data: bytes, git_folder: Path) -> bytes:
    """What an LFS pointer stands for where the clone has it, else ``data`` as it is."""
    pointer = _lfs(data)
    if pointer is None:
        return data
    object_id = pointer[1].decode()
    stored = git_folder / "lfs" / "objects" / object_id[:2] / object_id[2:4] / object_id
    try:
        found = stored.read_bytes()
    except OSError:
        return data
    return found if hashlib.sha256(found).hexdigest() == object_id else data


def _lfs(data: bytes) -> re.Match[bytes] | None:
    return _LFS.fullmatch(data) if len(data) <= _LONGEST_POINTER else None
