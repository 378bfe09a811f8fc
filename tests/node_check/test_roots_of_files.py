"""Folders of a node's files through the Python API: what the real loaders gave for the same files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import helmguard

_GIVEN = os.environ.get("HELMGUARD_SHARED")
CASES = (Path(_GIVEN) if _GIVEN else Path(__file__).parents[3] / "shared") / "containerd-cases.json"
EVERY = 4
"""tests/containerd compares all of them; here the way through files, collection and JSON is looked at."""


def cases() -> list[dict[str, Any]]:
    return json.loads(CASES.read_text(encoding="utf-8"))[::EVERY] if CASES.is_file() else []


@pytest.mark.skipif(not CASES.is_file(), reason="the recorded configurations are not beside the checkout")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_the_effective_settings_are_those_of_the_real_loaders(case: dict[str, Any], tmp_path: Path) -> None:
    for path, text in case["files"].items():
        file = tmp_path / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
    for version, truth in case["truth"].items():
        found = helmguard.check_node(tmp_path, version, no_config=True)
        document = found.to_dict()
        assert compared(document["effective"]) == compared(truth), version
        assert document["nodes"][0]["planned"]["version"] == version


def compared(truth: dict[str, Any]) -> dict[str, Any]:
    """Without what is told in containerd's own words."""
    return {name: value for name, value in truth.items() if name not in ("warnings", "daemon_error")}
