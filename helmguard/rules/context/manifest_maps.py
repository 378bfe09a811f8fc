"""Maps and lists in documents that may hold anything: what is of another kind or absent reads as empty."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from helmguard.model.json_value import JSONObject, JSONValue


def mapping(value: Any, *steps: str) -> JSONObject:
    """The map at a way of keys, {} for anything else."""
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def items(value: Any, *steps: str) -> list[JSONObject]:
    """The maps in the list at a way of keys, [] for anything else."""
    here = mapping(value, *steps[:-1]).get(steps[-1])
    return [item for item in here if isinstance(item, dict)] if isinstance(here, list) else []


def maps_in(value: JSONValue) -> Iterator[tuple[int, JSONObject]]:
    """The maps of a list, with their places in it."""
    if isinstance(value, list):
        yield from ((index, item) for index, item in enumerate(value) if isinstance(item, dict))


def texts(value: JSONValue) -> list[str]:
    """The items of a list as texts, [] for anything else."""
    return [str(item) for item in value] if isinstance(value, list) else []
