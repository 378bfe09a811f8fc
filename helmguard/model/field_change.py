"""One changed field of an object, and why it changes."""

from __future__ import annotations

from typing import Literal

import msgspec

from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue

Cause = Literal[
    "chart",
    "values",
    "default",
    "lost override",
    "drift reverted",
    "drift kept",
    "conflict",
    "converged",
    "server",
    "unstable",
    "latent owner",
]
"""``server``: the API server fills or normalises the field; ``unstable``: the template gives another value at
each rendering; ``latent owner``: somebody beside Helm owns the field, with the manifest's own value. The
others are the design's words: see docs/plan-format.md."""


class _Missing:
    """The value of a field that is not there (None is a value: an explicit null)."""

    _instance: _Missing | None = None

    def __new__(cls) -> _Missing:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING = _Missing()


def or_null(value: JSONValue) -> JSONValue:
    """The value as JSON, which has no word for a field that is not there: null stands for MISSING."""
    return None if value is MISSING else value


class FieldChange(msgspec.Struct, frozen=True):
    """``before`` is live before, ``after`` predicted after; ``previous`` and ``new`` what the manifests say.

    Each may be MISSING. ``manager`` is the field manager that owns the live value where another than Helm
    does. ``value_path`` is the values path the change was traced to, empty where it was not. ``note`` adds
    words to the cause. ``bookkeeping`` marks labels that only carry the chart's version. ``since`` is when
    the manager last wrote to the object, as the API gave it.
    """

    path: FieldPath
    before: JSONValue
    after: JSONValue
    cause: Cause
    previous: JSONValue = MISSING
    new: JSONValue = MISSING
    manager: str = ""
    value_path: str = ""
    note: str = ""
    bookkeeping: bool = False
    since: str = ""
