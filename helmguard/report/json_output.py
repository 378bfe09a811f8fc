"""A document as JSON text."""

from __future__ import annotations

import json

from helmguard.model.json_value import JSONValue


def to_json(document: JSONValue) -> str:
    """Indented, ASCII only: what a chart or a cluster holds cannot act on the terminal that shows it."""
    return json.dumps(document, indent=2) + "\n"
