"""Counts in words."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """``1 object``, ``2 objects``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
