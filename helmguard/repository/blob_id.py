"""The ids that git gives to contents."""

from __future__ import annotations

import hashlib
from pathlib import Path

_PIECE = 1 << 20


def blob_id(data: bytes, algorithm: str = "sha1") -> str:
    """The id of a blob with this content; ``algorithm`` is the repository's object format."""
    digest = hashlib.new(algorithm, f"blob {len(data)}\0".encode(), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def file_blob_id(path: Path, algorithm: str = "sha1") -> str:
    """The id of a file's content, read piece by piece.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        digest = hashlib.new(algorithm, f"blob {size}\0".encode(), usedforsecurity=False)
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()
