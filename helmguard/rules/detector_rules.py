"""Ids of the rules that are functions of this package still, not files of a pack."""

from __future__ import annotations

DETECTOR_RULES = frozenset(["drift-not-corrected-cr"])
