"""Laying one part of a helmfile over another, as helmfile's merging library does it."""

from __future__ import annotations

from typing import Any

from helmguard.model.json_value import JSONObject

_EMPTY: tuple[Any, ...] = (None, "", 0, False, [], {})


def merged_values(lower: JSONObject, upper: JSONObject) -> JSONObject:
    """Values of environments: maps are merged, everything else is replaced, by ``false`` and ``""`` too."""
    result = dict(lower)
    for key, value in upper.items():
        below = result.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            result[key] = merged_values(below, value)
        else:
            result[key] = value
    return result


def overlaid(lower: JSONObject, upper: JSONObject, *, append: bool) -> JSONObject:
    """``upper`` over ``lower``: what is empty above leaves what is below.

    ``append``: lists are put one after the other (bases, and what releases inherit from templates), else the
    upper one is all that is left (the parts of a file between lines of ``---``). That what is empty does
    not count holds for ``false`` too: ``installed: false`` does not take back a template's ``true``.
    """
    result = dict(lower)
    for key, value in upper.items():
        result[key] = _over(result.get(key), value, append)
    return result


def _over(below: Any, value: Any, append: bool) -> Any:
    if isinstance(below, dict) and isinstance(value, dict):
        return overlaid(below, value, append=append)
    if append and isinstance(below, list) and isinstance(value, list):
        return [*below, *value]
    return below if value in _EMPTY and below not in _EMPTY else value
