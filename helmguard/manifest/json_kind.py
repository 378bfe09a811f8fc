"""What Go's JSON decoder says when a value is not of the type it wants."""

from __future__ import annotations

from helmguard.manifest.numbers import json_number
from helmguard.model.json_value import JSONValue


def json_kind(value: JSONValue) -> str:
    """JSON's name for the kind of ``value``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int | float):
        return "number"
    return "array" if isinstance(value, list) else "object"


def mismatch(value: JSONValue, field: str, wanted: str, *, spell_number: bool = False) -> str:
    """Go's text for a ``value`` in a ``field`` (``ObjectMeta.metadata.name``) of the ``wanted`` Go type.

    ``spell_number``: Go shows a number that is no number of the wanted type.
    """
    kind = json_kind(value)
    if spell_number and kind == "number":
        kind += " " + json_number(value)
    return f"json: cannot unmarshal {kind} into Go struct field {field} of type {wanted}"
