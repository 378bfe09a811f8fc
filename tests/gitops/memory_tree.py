"""A tree held in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping


class MemoryTree:
    """Files by their path, with the blob ids that git gives them."""

    def __init__(self, files: Mapping[str, str | bytes], label: str = "head") -> None:
        self._files = {
            path: data if isinstance(data, bytes) else data.encode() for path, data in sorted(files.items())
        }
        self._entries = {path: blob_id(data) for path, data in self._files.items()}
        self._label = label

    @property
    def label(self) -> str:
        return self._label

    @property
    def entries(self) -> Mapping[str, str]:
        return self._entries

    @property
    def linked(self) -> frozenset[str]:
        return frozenset()

    def read(self, path: str) -> bytes:
        return self._files[path]


def blob_id(data: bytes) -> str:
    """What ``git hash-object`` says."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
