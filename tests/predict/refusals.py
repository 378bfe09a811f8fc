"""Documents with one mistake each, from ``fixtures/refusals.yaml``."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

from kinds import VARIANTS, Place
from random_objects import document

from helmguard.manifest import yaml

ROWS: list[list[Any]] = yaml.load((Path(__file__).parent / "fixtures" / "refusals.yaml").read_text())


def faulty(row: list[Any], place: Place, name: str) -> dict[str, Any]:
    """The document of a row: the kind's first variant with the row's values put in."""
    kind, changes = row
    body = document(copy.deepcopy(VARIANTS[kind][0]), place, name)
    for path, value in changes.items():
        _put(body, path.split("."), _lengthened(value))
    return body


def _put(body: Any, steps: list[str], value: Any) -> None:
    for step in steps[:-1]:
        body = body[int(step)] if isinstance(body, list) else body.setdefault(step, {})
    last = int(steps[-1]) if isinstance(body, list) else steps[-1]
    if value == "~gone":
        del body[last]
    else:
        body[last] = value


def _lengthened(value: Any) -> Any:
    """``LONG64`` stands for 64 letters."""
    if isinstance(value, dict):
        return {_lengthened(key): _lengthened(below) for key, below in value.items()}
    if isinstance(value, str) and (match := re.fullmatch(r"LONG(\d+)", value)):
        return "a" * int(match[1])
    return value


UPDATES: list[list[Any]] = yaml.load((Path(__file__).parent / "fixtures" / "updates.yaml").read_text())


def changed(live: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """The live object with a row's values put in."""
    body = copy.deepcopy(live)
    for path, value in changes.items():
        _put(body, path.split("."), value)
    return body
