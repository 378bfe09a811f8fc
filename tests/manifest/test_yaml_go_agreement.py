"""Random texts, read by Go itself. Needs `go`, and its module proxy the first time."""

from __future__ import annotations

import base64
import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from yaml_fragments import random_text

from helmguard.manifest.yaml import YAMLError, go_json, load

PROGRAM = Path(__file__).parent / "goyaml"
SEED = 20260702
TEXTS = 3000


@pytest.fixture(scope="module")
def goyaml(tmp_path_factory: pytest.TempPathFactory) -> Path:
    go = shutil.which("go")
    if go is None:
        pytest.skip("go is not installed")
    binary = tmp_path_factory.mktemp("goyaml") / "goyaml"
    build = subprocess.run(
        [go, "build", "-o", str(binary), "."], cwd=PROGRAM, capture_output=True, text=True, check=False
    )
    if build.returncode:
        pytest.skip(f"goyaml cannot be built here: {build.stderr[-300:]}")
    return binary


def answers(goyaml: Path, texts: list[bytes]) -> list[dict[str, str]]:
    lines = b"\n".join(base64.b64encode(text) for text in texts)
    done = subprocess.run([goyaml], input=lines, capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def ours(text: bytes, strict: bool = False) -> tuple[Any, str]:
    try:
        return json.loads(go_json(load(text, strict=strict))), ""
    except YAMLError as error:
        return None, error.message


def test_agreement(goyaml: Path) -> None:
    chance = random.Random(SEED)
    texts = [random_text(chance).encode() for _ in range(TEXTS)]
    differing = []
    for text, go in zip(texts, answers(goyaml, texts), strict=True):
        if "panic: " in go["error"]:
            continue
        value, error = ours(text)
        same = value == json.loads(go["json"]) if not go["error"] else _same_error(error, go["error"])
        if not same or bool(ours(text, strict=True)[1]) != bool(go["strict"]):
            differing.append((text, value, error, go))
    assert not differing


def _same_error(ours: str, go: str) -> bool:
    """Go spells out the Go types inside a key it refuses; we need not."""
    return ours == go or ("map key" in go and ours[:20] == go[:20])
