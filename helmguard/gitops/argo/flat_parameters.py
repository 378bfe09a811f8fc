"""Parameters as flat names, as applicationset's generators make them for plain templates and selectors."""

from __future__ import annotations

from typing import Any

from helmguard.values.go_format import go_text


def flat(value: Any) -> dict[str, str]:
    """``{"a": {"b": 1}, "c": [2]}`` as ``{"a.b": "1", "c.0": "2"}`` (jeremywohl/flatten, dot style)."""
    found: dict[str, str] = {}
    _collect(value, "", found)
    return found


def _collect(value: Any, prefix: str, found: dict[str, str]) -> None:
    if isinstance(value, dict):
        parts = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, list):
        parts = [(str(index), item) for index, item in enumerate(value)]
    else:
        found[prefix] = go_text(value)
        return
    for key, item in parts:
        _collect(item, f"{prefix}.{key}" if prefix else key, found)
