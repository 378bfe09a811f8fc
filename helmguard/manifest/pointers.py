"""Files that stand for contents which are elsewhere, or can be read by key holders alone."""

from __future__ import annotations

import re

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
    pointer = lfs_pointer(data)
    if pointer is not None:
        return f"is a Git LFS pointer; its {int(pointer[2])} bytes are not in this clone (git lfs pull)"
    return ""


def lfs_pointer(data: bytes) -> re.Match[bytes] | None:
    """The SHA-256 and the size of what a Git LFS pointer stands for; None where it is none."""
    return _LFS.fullmatch(data) if len(data) <= _LONGEST_POINTER else None
