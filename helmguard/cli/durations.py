"""Durations as Go writes them: ``5m``, ``1h30m``, ``1.5s``."""

from __future__ import annotations

import argparse
import re

_PART = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)")
_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def duration(text: str) -> str:
    """The text as typed, where it is a duration."""
    if not re.fullmatch(rf"[+-]?(0|({_PART.pattern})+)", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no duration such as 5m or 90s")
    return text


def seconds(text: str) -> float:
    """A duration's seconds; one below zero counts as none."""
    total = sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    return 0.0 if text.startswith("-") else total
