"""Builds binaries into the cache, each once for each version."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from controlplane.binaries import BINARIES, Binary
from controlplane.cache import cache_root, locked, say
from controlplane.errors import ClusterError
from controlplane.toolchain import find_go


def cached(binary: Binary) -> Path | None:
    """The built binary, or None when it is not in the cache."""
    path = _path(binary)
    return path if path.exists() else None


def ensure(binary: Binary) -> Path:
    """The path of the built binary, which is built now when the cache lacks it (minutes)."""
    found = cached(binary)
    if found is not None:
        return found
    # One lock for all: two builds at once would only fight for the same cores.
    with locked(cache_root() / "build.lock"):
        return cached(binary) or _build(binary)


def ensure_label(label: str) -> Path:
    """`ensure` for a label such as `helm3` or `kube-apiserver`."""
    return ensure(BINARIES[label])


def _path(binary: Binary) -> Path:
    return cache_root() / binary.key / binary.filename


def _build(binary: Binary) -> Path:
    go = find_go(binary.module_folder)
    say(f"building {binary.label} {binary.version} (a few minutes the first time, then cached)")
    began = time.monotonic()
    root = cache_root()
    with tempfile.TemporaryDirectory(dir=root, prefix=".building-") as scratch:
        folder = Path(scratch) / binary.key
        folder.mkdir(mode=0o755)
        _go_build(go, binary, folder / binary.filename)
        _publish(folder, root / binary.key)
    say(f"built {binary.label} in {time.monotonic() - began:.0f} s")
    return _path(binary)


def _go_build(go: Path, binary: Binary, output: Path) -> None:
    command = [str(go), "build", "-mod=readonly", "-trimpath", "-buildvcs=false"]
    command += ["-ldflags", binary.linker_flags, "-o", str(output), binary.package]
    done = subprocess.run(
        command,
        cwd=binary.module_folder,
        env={**os.environ, "CGO_ENABLED": "0", "GOWORK": "off", "GOFLAGS": "", "GOTOOLCHAIN": "local"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ClusterError(f"{binary.label} {binary.version} could not be built:\n{done.stdout[-4000:]}")


def _publish(built: Path, target: Path) -> None:
    """Moves a finished folder to its place in one step, so that nobody ever sees half a binary."""
    if target.exists():  # a folder without its binary: left by hand, or by a full disk
        shutil.rmtree(target)
    built.rename(target)
