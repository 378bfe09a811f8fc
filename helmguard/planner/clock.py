"""The time by the machine's clock: asked for at the edges alone."""

from __future__ import annotations

from datetime import UTC, datetime


def clock_time() -> str:
    """ISO 8601 in seconds with ``Z``, as Kubernetes writes a time."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
