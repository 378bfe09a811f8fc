"""What should be a list or a map, and may be anything: whoever wrote the file is a stranger."""

from __future__ import annotations

from typing import Any

from helmguard.model.json_value import JSONObject


def list_at(body: Any, field: str) -> list[Any]:
    """A list, empty where it is none."""
    found = body.get(field) if isinstance(body, dict) else None
    return found if isinstance(found, list) else []


def map_at(body: Any, field: str) -> JSONObject:
    """A map, empty where it is none."""
    found = body.get(field) if isinstance(body, dict) else None
    return found if isinstance(found, dict) else {}
