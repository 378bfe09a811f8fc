"""What the real containerd makes of configurations: its own loaders and command line (see loaders/).

Each version's program is built once and kept with the test binaries (see tests/cluster/README.md).
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import platform
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from controlplane import session
from controlplane.cache import cache_root, locked, say
from controlplane.errors import ClusterError
from controlplane.toolchain import find_go

LOADERS: Final = Path(__file__).parent / "loaders"
FOLDERS: Final = {"1.7.29": "v17", "2.1.4": "v21", "2.3.0": "v23"}
VERSIONS: Final = tuple(FOLDERS)

Truth = dict[str, Any]


def real_effective(version: str, files: Mapping[str, str]) -> Truth:
    """What containerd makes of a node's files: the truth of containerd-cases.json but ``warnings``.

    A path that ends with a slash is an empty folder. The calling test is skipped where no loader can run.
    """
    return _loader(version).ask(files)


def containerd_command(version: str, *arguments: str, root: Path) -> subprocess.CompletedProcess[str]:
    """Run containerd's own command line with a folder as its root file system: ``config``, ``dump``.

    Of its plugins only those of the CRI are linked.
    """
    return subprocess.run(
        [built(version), "command", root, *arguments], capture_output=True, text=True, check=False, timeout=60
    )


@functools.cache
def built(version: str) -> Path:
    """The program of a version; built now (minutes) if it is not in the cache."""
    folder = LOADERS / FOLDERS[version]
    target = cache_root() / f"containerd-loader-{version}-{_digest(folder)}" / "containerd-loader"
    if session.NOT_WANTED is not None and not target.exists():
        pytest.skip(session.NOT_WANTED)
    with locked(cache_root() / "build.lock"):
        if not target.exists():
            try:
                _build(find_go(folder), folder, target, version)
            except ClusterError as error:
                pytest.skip(f"the loader of containerd {version} cannot be built here: {error}")
    return target


def _build(go: Path, folder: Path, target: Path, version: str) -> None:
    say(f"building the loader of containerd {version} (a few minutes the first time, then cached)")
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_suffix(".unfinished")
    done = subprocess.run(
        [
            go,
            "build",
            "-mod=readonly",
            "-trimpath",
            "-buildvcs=false",
            "-ldflags=-s -w",
            "-o",
            unfinished,
            ".",
        ],
        cwd=folder,
        env={**os.environ, "GOWORK": "off", "GOFLAGS": "", "GOTOOLCHAIN": "local"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"the loader of containerd {version} cannot be built here: {done.stderr[-300:]}")
    unfinished.rename(target)


def _digest(folder: Path) -> str:
    digest = hashlib.sha256(f"{platform.system()} {platform.machine()}".encode())
    for file in (folder / "go.mod", folder / "go.sum", folder / "main.go", LOADERS / "serve" / "serve.go"):
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


class _Loader:
    """A running loader, which answers one case a line."""

    def __init__(self, version: str) -> None:
        # The loader changes its root to this folder and empties it for each case.
        self._root = tempfile.TemporaryDirectory(prefix="containerd-root-")
        self._process = subprocess.Popen(
            [built(version), "loader", self._root.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.close)

    def ask(self, files: Mapping[str, str]) -> Truth:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        try:
            self._process.stdin.write(json.dumps({"id": "", "files": dict(files)}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self._process.stdout.readline()
        if not line:
            said = self._process.stderr.read()
            if "operation not permitted" in said:
                pytest.skip(f"the loader may not change its root here: {said}")
            raise AssertionError(f"the loader ended: {said}")
        truth: Truth = json.loads(line)
        del truth["id"]
        return truth

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)
        self._root.cleanup()


@functools.cache
def _loader(version: str) -> _Loader:
    return _Loader(version)
