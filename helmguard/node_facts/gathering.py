"""What was read of a node so far: texts, paths, and what could not be read."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from helmguard.model.node_facts import NodeFile, PathFacts, UnreadFact
from helmguard.node_facts.redact import redacted_file
from helmguard.node_facts.root import NodeRoot, NotGivenError, ReadError

MOST_FILES = 1000
MOST_PATHS = 10_000
_MOST_CALLS = 4
"""Wrappers that call wrappers."""
_LARGEST_SCRIPT = 64 << 10
_EXEC = re.compile(r"(?:^|[\s;&|({`])exec\s+(?:-[cl]\s+|-a\s+\S+\s+)*[\"']?(/[^\s\"';&|)}`$]+)", re.MULTILINE)


class Gathering:
    """Reads below a root; the same path is read once."""

    def __init__(self, root: NodeRoot) -> None:
        self.root = root
        self.files: dict[str, NodeFile] = {}
        self.paths: dict[str, PathFacts] = {}
        self.unread: dict[str, str] = {}

    def add_file(self, path: str) -> NodeFile | None:
        """Keep the text of a file; None where there is no such file, which is kept, too."""
        if path in self.files:
            return self.files[path]
        if len(self.files) >= MOST_FILES:
            self.note(path, f"more than {MOST_FILES} files")
            return None
        try:
            found = self.root.find(path)
            if found is None or found.kind == "folder":
                self.paths.setdefault(path, PathFacts("absent" if found is None else "folder"))
                return None
            content = self.root.read_bytes(path)
        except NotGivenError as error:
            self.note(path, str(error))
            self.paths.setdefault(path, PathFacts("unknown"))
            return None
        except ReadError as error:
            return self._unreadable(path, str(error))
        if content is None:
            self.paths.setdefault(path, PathFacts("absent"))
            return None
        self.files[path] = redacted_file(path, content)
        return self.files[path]

    def _unreadable(self, path: str, why: str) -> NodeFile:
        self.note(path, why)
        self.files[path] = NodeFile(text=None, why=why)
        return self.files[path]

    def add_path(self, path: str, depth: int = 0) -> PathFacts:
        """Keep what is known of a path that something names, and of what it calls."""
        known = self.paths.get(path)
        if known is not None:
            return known
        if len(self.paths) >= MOST_PATHS:
            self.note("paths that files name", f"more than {MOST_PATHS}")
            return PathFacts("unknown")
        facts = self._path_facts(path)
        self.paths[path] = facts
        if depth < _MOST_CALLS:
            for called in facts.calls:
                self.add_path(called, depth + 1)
        return facts

    def _path_facts(self, path: str) -> PathFacts:
        try:
            found = self.root.find(path)
        except ReadError as error:
            self.note(_top(path) if isinstance(error, NotGivenError) else path, str(error))
            return PathFacts("unknown")
        if found is None and not self.root.has_part(path):
            part = "/" + path.strip("/").split("/")[0]
            self.note(part, "the folder that was read is a part of a node, and has none of it")
            return PathFacts("unknown")
        if found is None:
            return PathFacts("absent")
        target = found.path if found.path != posixpath.normpath(path) else ""
        if found.kind != "file":
            return PathFacts(found.kind, target)
        executable = bool(found.mode & 0o111)
        try:
            start = self.root.read_start(path, _LARGEST_SCRIPT if executable else 4) or b""
        except ReadError:
            return PathFacts("file", target, executable)
        if start.startswith(b"\x7fELF"):
            return PathFacts("file", target, executable, "elf")
        if start.startswith(b"#!"):
            return PathFacts("file", target, executable, "script", tuple(_calls(path, start)))
        return PathFacts("file", target, executable)

    def folder(self, path: str) -> list[str] | None:
        """The names in a folder; none where it is absent; None, which is noted, where it cannot be listed."""
        try:
            return self.root.names(path) or []
        except ReadError as error:
            self.note(path, str(error))
            return None

    def note(self, what: str, why: str) -> None:
        """Remember what could not be read."""
        self.unread.setdefault(what, why)

    def unread_facts(self) -> Iterator[UnreadFact]:
        """What could not be read, in the order of its names."""
        for what in sorted(self.unread):
            yield UnreadFact(what, self.unread[what])


def _top(path: str) -> str:
    """``/usr/local`` for all that is below it: one word for many paths that were not given."""
    return "/".join(path.split("/")[:3])


def _calls(path: str, script: bytes) -> Iterator[str]:
    """What a wrapper hands over to: absolute paths behind ``exec``, and its own name with ``.real``.

    The wrappers of NVIDIA's toolkit name that one on a line of its own.
    """
    text = script.decode("utf-8", "replace")
    found = dict.fromkeys(match[1] for match in _EXEC.finditer(text))
    real = f"{path}.real"
    if re.search(rf"(?<![\w.-]){re.escape(posixpath.basename(real))}(?![\w.-])", text):
        found.setdefault(real)
    yield from found
