"""Data that is not shown by its representation."""

from __future__ import annotations

import msgspec


class Unshown(msgspec.Struct, frozen=True):
    """Holds secrets: its representation is its name, so that no log, debugger or test report prints them."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"
