"""containerd's configuration files: the main one, what it imports, and what lies beside it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from helmguard.containerd.imports import MalformedPatternError, absolute, has_glob, imports_of
from helmguard.node_facts.gathering import Gathering
from helmguard.values.go_match import go_match

_BESIDE = ("conf.d", "config.d", "config.toml.d", "config-v3.toml.d")
"""Folders of drop-ins: containerd's and the toolkit's habit, k3s's and RKE2's."""
_TEMPLATES = ("config.toml.tmpl", "config-v3.toml.tmpl", "containerd-template.toml", "containerd-env")
"""Files that the main one is generated from: of k3s and RKE2, and of MicroK8s."""
_MOST_MATCHES = 500


def gather_containerd(gathering: Gathering, main: str) -> list[str]:
    """Keep the configuration's files; gives the paths of all TOML files among them.

    Imports are followed as containerd does, breadth first, each file once, whatever their version says of
    whether they count.
    """
    pending = [main]
    seen: set[str] = set()
    while pending:
        path = pending.pop(0)
        if path in seen:
            continue
        seen.add(path)
        file = gathering.add_file(path)
        if file is None or file.text is None:
            continue
        for pattern in imports_of(file.text):
            pending += _matches(gathering, pattern, path)
    seen |= set(_beside(gathering, main))
    return sorted(path for path in seen if path in gathering.files)


def _beside(gathering: Gathering, main: str) -> Iterator[str]:
    folder = posixpath.dirname(main)
    for name in _BESIDE:
        for entry in (gathering.folder(f"{folder}/{name}") or [])[:_MOST_MATCHES]:
            if entry.endswith(".toml"):
                gathering.add_file(f"{folder}/{name}/{entry}")
                yield f"{folder}/{name}/{entry}"
    for name in _TEMPLATES:
        if gathering.root.exists(f"{folder}/{name}"):
            gathering.add_file(f"{folder}/{name}")


def _matches(gathering: Gathering, pattern: str, parent: str) -> list[str]:
    """The files that an import names on this node, as Go's ``filepath.Glob`` finds them."""
    path = absolute(pattern, parent)
    if not has_glob(path):
        return [path]
    found = [""]
    parts = path.strip("/").split("/")
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        found = [match for folder in found for match in _in_folder(gathering, folder, part, last)]
        if len(found) > _MOST_MATCHES:
            gathering.note(path, f"it matches more than {_MOST_MATCHES} files")
            found = found[:_MOST_MATCHES]
    return found


def _in_folder(gathering: Gathering, folder: str, part: str, last: bool) -> Iterator[str]:
    if not any(mark in part for mark in "*?[\\"):
        if not last or gathering.root.exists(f"{folder}/{part}"):
            yield f"{folder}/{part}"
        return
    try:
        matcher = go_match(part)
    except MalformedPatternError:
        return
    for name in gathering.folder(folder or "/") or []:
        if matcher.fullmatch(name):
            yield f"{folder}/{name}"
