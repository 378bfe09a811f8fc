"""Reads nodes' facts from whatever the user names: archives, folders, roots, files, standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from helmguard.errors import NodeFactsError
from helmguard.model.node_facts import NodeFacts
from helmguard.node_facts.archive import LARGEST, RECORD, facts_from_dict, read_archive, read_unpacked
from helmguard.node_facts.collect import collect_config, collect_node
from helmguard.node_facts.root import reason

_ARCHIVES = (".tar.gz", ".tgz")
_LINES = (".json", ".jsonl")
_OF_A_ROOT = frozenset(["etc", "usr", "bin", "var", "proc", "sys", "dev", "run", "lib", "boot", "opt"])
"""Folders that a root file system has, and a folder of archives has not."""
_REMEDY = "Name an archive of helmguard node collect, a folder with some, a node's root, or a config.toml."


def read_nodes(paths: Sequence[str]) -> tuple[NodeFacts, ...]:
    """The nodes in the order given, each with a name of its own.

    Each path is an archive (``.tar.gz``, ``.tgz``), a folder that an archive was unpacked to, a folder with
    several of these or with roots, a root file system (``/`` or any other folder, even an empty one), a
    ``.toml`` file (containerd's main file; imports are read from the file system that it lies in), or facts
    as JSON lines (``.json``, ``.jsonl``, ``-`` for standard input).

    Raises:
        NodeFactsError: there is nothing there, or it cannot be used.
    """
    return tuple(_with_own_names([node for path in paths for node in _read(path)]))


def _read(path: str) -> Iterator[NodeFacts]:
    if path == "-":
        yield from _lines(sys.stdin.read(LARGEST), "standard input")
        return
    place = Path(path)
    if place.is_dir():
        yield from _folder(place)
    elif path.endswith(_LINES):
        yield from _lines(_text(place), path)
    elif path.endswith(".toml"):
        yield collect_config(place)
    elif path.endswith(_ARCHIVES) or _is_gzip(place):
        yield read_archive(place)
    elif place.exists():
        raise NodeFactsError(f"{path}: what it is cannot be told by its name", remedy=_REMEDY)
    else:
        raise NodeFactsError(f"cannot read {path}: there is no such file or folder", remedy=_REMEDY)


def _folder(folder: Path) -> Iterator[NodeFacts]:
    if (folder / RECORD).is_file():
        yield read_unpacked(folder)
        return
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        raise NodeFactsError(f"cannot read {folder}: {reason(error)}", remedy=_REMEDY) from None
    found = [name for name in names if _holds_facts(folder / name)]
    if _OF_A_ROOT.intersection(names) or not found:
        yield collect_node(folder)
        return
    for name in found:
        place = folder / name
        if not place.is_dir():
            yield read_archive(place)
        else:
            yield read_unpacked(place) if (place / RECORD).is_file() else collect_node(place)


def _holds_facts(place: Path) -> bool:
    if place.is_dir():
        return (place / RECORD).is_file() or (place / "etc").is_dir()
    return place.name.endswith(_ARCHIVES)


def _lines(text: str, source: str) -> Iterator[NodeFacts]:
    """A document, or one a line; lines that are none may be a log's, and are passed over."""
    documents = _documents(text)
    found = 0
    for document in documents:
        if isinstance(document, dict) and "formatVersion" in document:
            try:
                facts = facts_from_dict(document)
            except NodeFactsError as error:
                raise NodeFactsError(f"{source}: {error.message}", remedy=error.remedy) from None
            found += 1
            yield facts if facts.source else replace(facts, source=source)
    if not found:
        raise NodeFactsError(f"{source}: there are no facts of a node in it", remedy=_REMEDY)


def _documents(text: str) -> Iterator[object]:
    try:
        yield json.loads(text)
        return
    except (ValueError, RecursionError):
        pass
    for line in text.split("\n"):
        if line.lstrip().startswith("{"):
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                continue


def _text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise NodeFactsError(f"cannot read {path}: it is no file", remedy=_REMEDY)
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(LARGEST)
    except OSError as error:
        raise NodeFactsError(f"cannot read {path}: {reason(error)}", remedy=_REMEDY) from None


def _is_gzip(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(2) == b"\x1f\x8b"
    except OSError:
        return False


def _with_own_names(nodes: Sequence[NodeFacts]) -> Iterator[NodeFacts]:
    """A second node of a name becomes ``name (2)``."""
    taken: set[str] = set()
    for node in nodes:
        name, number = node.name, 1
        while name in taken:
            number += 1
            name = f"{node.name} ({number})"
        taken.add(name)
        yield node if name == node.name else replace(node, name=name)
