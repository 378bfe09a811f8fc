"""What containerd's files name on a node: runtimes' programs, folders of CDI specs."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

from helmguard.model.node_facts import CDI_FOLDERS
from helmguard.node_facts.gathering import Gathering
from helmguard.node_facts.root import ReadError

_PROGRAM_KEYS = frozenset(["binaryname", "runtime_path", "runtime_engine"])
"""``options.BinaryName`` and ``runtime_path`` of a runtime; ``runtime_engine`` of containerd 1.x."""
_USUAL = ("containerd-shim-runc-v2", "runc")
TOOLKIT_FOLDER = "/usr/local/nvidia/toolkit"
"""Where the GPU Operator's toolkit container puts its programs."""
_TOOLKIT = ("nvidia-ctk", "nvidia-container-runtime", "nvidia-cdi-hook")
_MOST_DEPTH = 40


def gather_programs(gathering: Gathering, config: Iterable[str], search_path: tuple[str, ...]) -> None:
    """Keep what is known of each program that a runtime's table of any of the files names.

    A bare name is looked up in containerd's search path; where it is not found, each place that was looked at
    is kept as absent.
    """
    names: dict[str, None] = dict.fromkeys(_USUAL)
    for document in _documents(gathering, config):
        for key, value in _pairs(document):
            if not isinstance(value, str) or not value:
                continue
            if key in _PROGRAM_KEYS:
                names.setdefault(value)
            elif key == "runtime_type":
                names.setdefault(value if value.startswith("/") else _shim(value))
    for name in names:
        if name.startswith("/"):
            gathering.add_path(name)
        elif name and "/" not in name:
            for folder in search_path:
                if gathering.add_path(f"{folder}/{name}").kind not in ("absent", "unknown"):
                    break
    _gather_toolkit(gathering)


def cdi_folders(gathering: Gathering, config: Iterable[str]) -> list[str]:
    """The folders of CDI specs that any of the files names, and those by default."""
    found = dict.fromkeys(CDI_FOLDERS)
    for document in _documents(gathering, config):
        for key, value in _pairs(document):
            if key == "cdi_spec_dirs" and isinstance(value, list):
                for one in value:
                    if isinstance(one, str) and one.startswith("/"):
                        found.setdefault(posixpath.normpath(one))
    return list(found)


def _gather_toolkit(gathering: Gathering) -> None:
    for folder in ("/usr/bin", TOOLKIT_FOLDER):
        for name in _TOOLKIT:
            gathering.add_path(f"{folder}/{name}")
    try:
        names = gathering.root.names(TOOLKIT_FOLDER) or []
    except ReadError:
        return  # noted above
    for name in names:
        if name.startswith("nvidia"):
            gathering.add_path(f"{TOOLKIT_FOLDER}/{name}")


def _shim(runtime_type: str) -> str:
    """``io.containerd.runc.v2`` is ``containerd-shim-runc-v2`` (containerd's ``shim.BinaryName``)."""
    parts = runtime_type.split(".")
    if len(parts) < 2 or "/" in runtime_type:
        return ""
    return f"containerd-shim-{parts[-2]}-{parts[-1]}"


def _documents(gathering: Gathering, config: Iterable[str]) -> Iterator[dict[str, Any]]:
    for path in config:
        file = gathering.files[path]
        try:
            yield tomllib.loads((file.text or "").removeprefix("\ufeff"))
        except (tomllib.TOMLDecodeError, RecursionError, ValueError):
            continue


def _pairs(value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every key, in lower case, with its value: which tables count depends on containerd's version."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            yield key.lower(), item
            yield from _pairs(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from _pairs(item, depth + 1)
