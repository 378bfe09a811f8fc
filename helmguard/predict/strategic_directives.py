"""The words a strategic merge patch steers by, and its error."""

from __future__ import annotations

from typing import Final

DIRECTIVE: Final = "$patch"
RETAIN_KEYS: Final = "$retainKeys"
DELETE_PRIMITIVES: Final = "$deleteFromPrimitiveList/"
ELEMENT_ORDER: Final = "$setElementOrder/"


class PatchError(Exception):
    """The patch cannot be made or applied; the text is the one Helm or the API server gives."""
