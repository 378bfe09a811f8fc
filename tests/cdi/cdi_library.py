"""The CDI library itself, as each containerd links it: built once, asked by lines of JSON."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

PROGRAM = Path(__file__).parent / "validate"
CONTAINERDS = ("1.7.29", "2.1.4", "2.3.0")


class Request(msgspec.Struct, frozen=True):
    """Folders in the order of ``cdi_spec_dirs``, and files by path."""

    folders: Sequence[str]
    files: Mapping[str, str]


def build_library(containerd: str, folder: Path) -> Path:
    """The program with the library of that containerd; skips where it cannot be built."""
    go = shutil.which("go") or shutil.which("/usr/local/go/bin/go")
    if go is None:
        pytest.skip("go is not installed")
    binary = folder / f"validate-{containerd}"
    build = subprocess.run(
        [go, "build", f"-modfile=containerd-{containerd}.mod", "-o", str(binary), "."],
        cwd=PROGRAM,
        capture_output=True,
        text=True,
        check=False,
    )
    if build.returncode:
        pytest.skip(f"the CDI library cannot be built here: {build.stderr[-300:]}")
    return binary


def ask_library(binary: Path, requests: Sequence[Request]) -> list[dict[str, Any]]:
    """Its answers: ``specs`` (path to error), ``panics``, ``devices`` (name to path), ``failed``."""
    lines = "\n".join(json.dumps({"folders": one.folders, "files": _encoded(one.files)}) for one in requests)
    done = subprocess.run([binary], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _encoded(files: Mapping[str, str]) -> dict[str, str]:
    return {
        path: base64.b64encode(text.encode("utf-8", "surrogateescape")).decode()
        for path, text in files.items()
    }
