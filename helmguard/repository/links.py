"""Symbolic links of a tree, followed by their text alone: nothing outside the tree is looked at."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

_MOST_HOPS = 40
"""Links that one path may lead through, as Linux has it."""

MOST_LINKED = 100_000
"""Names that may be looked at behind links: links to folders with links multiply."""


def linked_files(files: Sequence[str], links: Mapping[str, str]) -> dict[str, str]:
    """Every path that leads through a link to a file of the tree, and the file it leads to.

    ``files`` are the tree's files, ``links`` its links with what they say. Links that lead nowhere, out of
    the tree or back to a folder that they lie in are left out, and so is what comes after `MOST_LINKED`.
    """
    walk = _Walk(links, sorted([*files, *links]), frozenset(files))
    found: dict[str, str] = {}
    for link in sorted(links):
        found.update(walk.through(link, (_folder(link),)))
    return found


class _Walk:
    """``left`` is how many names may still be looked at."""

    def __init__(self, links: Mapping[str, str], names: Sequence[str], files: frozenset[str]) -> None:
        self.links, self.names, self.files = links, names, files
        self.left = MOST_LINKED

    def through(self, link: str, inside: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """What a link shows, as path and file; ``inside`` are the folders being gone through."""
        real = real_path(link, self.links)
        if real is None:
            return
        if real in self.files:
            yield link, real
            return
        if len(inside) > 2 * _MOST_HOPS or any(_is_below(folder, real) for folder in inside):
            return
        prefix = f"{real}/"
        for index in range(bisect_left(self.names, prefix), len(self.names)):
            name = self.names[index]
            if not name.startswith(prefix) or self.left <= 0:
                return
            self.left -= 1
            seen = f"{link}/{name.removeprefix(prefix)}"
            if name not in self.links:
                yield seen, name
                continue
            for path, file in self.through(name, (*inside, real, _folder(name))):
                yield seen + path.removeprefix(name), file


def real_path(path: str, links: Mapping[str, str]) -> str | None:
    """Where a path leads, component by component; None out of the tree or in circles."""
    parts = deque(path.split("/"))
    done: list[str] = []
    hops = 0
    while parts:
        part = parts.popleft()
        if part in ("", "."):
            continue
        if part == "..":
            if not done:
                return None
            done.pop()
            continue
        done.append(part)
        target = links.get("/".join(done))
        if target is None:
            continue
        hops += 1
        if hops > _MOST_HOPS or target.startswith("/"):
            return None
        done.pop()
        parts.extendleft(reversed(target.split("/")))
    return "/".join(done)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _is_below(folder: str, other: str) -> bool:
    return other == "" or folder == other or folder.startswith(f"{other}/")
