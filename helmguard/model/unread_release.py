"""A release whose state could not be found out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UnreadRelease:
    """``why`` says what was in the way."""

    namespace: str
    name: str
    why: str
