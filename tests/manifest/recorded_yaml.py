"""The recorded YAML inputs with Go's answers, where they are at hand."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

_BESIDE_THE_CHECKOUT = Path(__file__).parents[3] / "shared"


def recorded_cases() -> list[dict[str, Any]]:
    """All cases; none where the recording is missing."""
    file = Path(os.environ.get("HELMGUARD_SHARED") or _BESIDE_THE_CHECKOUT) / "yaml-cases.json"
    if not file.exists():
        return []
    cases: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["cases"]
    return cases


def text_of(case: dict[str, Any]) -> str | bytes:
    """A case's input."""
    encoded = case.get("input_base64")
    return base64.b64decode(encoded) if encoded is not None else str(case["input"])
