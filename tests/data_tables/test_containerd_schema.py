"""The table of what containerd reads is what its own types say."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "generate" / "containerd_schema"))

import schema  # noqa: E402 - the generator, beside its Go programs


@pytest.mark.skipif(shutil.which("go") is None, reason="go is needed to link containerd's types")
def test_the_table_is_what_the_generator_writes() -> None:
    made = json.loads(json.dumps(schema.schema()))
    assert made == json.loads(schema.TARGET.read_text(encoding="utf-8"))
