"""The type of anything JSON can hold."""

from __future__ import annotations

from typing import Any, TypeAlias

# Precise recursive JSON types make every look-up a cast; the readers of a document narrow as they go.
JSONValue: TypeAlias = Any
JSONObject: TypeAlias = dict[str, Any]
