"""Numbers of parameters, which reach templates by way of JSON."""

from __future__ import annotations

from typing import Any


def as_floats(value: Any) -> Any:
    """The same with every number a float64, as Go's encoding/json reads into an ``interface {}``."""
    if isinstance(value, dict):
        return {key: as_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_floats(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
