"""Sides of a difference in words, and plans' JSON made comparable."""

from __future__ import annotations

import json
from typing import Any

from helmguard.masking.secret_marks import without_digest
from helmguard.model.json_value import JSONObject, JSONValue

_LONGEST = 120
_DIGEST = len("sha256:") + 12


def without_marks(value: Any) -> Any:
    """The document with every secret as ``(secret)``: which one it is, is told anew by each plan."""
    if isinstance(value, dict):
        return {without_digest(name): without_marks(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [without_marks(item) for item in value]
    return without_digest(value) if isinstance(value, str) else value


def maps(document: JSONObject, name: str) -> list[JSONObject]:
    """The objects in a list of the document."""
    value = document.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(document: JSONObject, name: str) -> list[str]:
    """The texts in a list of the document."""
    value = document.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def said(value: JSONValue) -> str:
    """A value in few words."""
    if value is None or value == "":
        return "none"
    if isinstance(value, str):
        text = value[:_DIGEST] if value.startswith("sha256:") else value
    elif isinstance(value, dict):
        # What says nothing is left out.
        text = ", ".join(
            f"{name} {_json(inner)}" for name, inner in value.items() if inner not in ("", [], None)
        )
    else:
        text = _json(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _json(value: JSONValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
