"""A release whose state could not be found out."""

from __future__ import annotations

import msgspec


class UnreadRelease(msgspec.Struct, frozen=True):
    """``why`` says what was in the way."""

    namespace: str
    name: str
    why: str
