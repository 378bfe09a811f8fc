"""Fast and exact equality of JSON trees, by the name it has in comparisons."""

from __future__ import annotations

from helmguard.predict.json_equality import json_equal as same_tree

__all__ = ["same_tree"]
