"""Parameters of which not all are known."""

from __future__ import annotations

from typing import Any


class OpenMap(dict[str, Any]):
    """What is not in it may be there in the cluster."""
