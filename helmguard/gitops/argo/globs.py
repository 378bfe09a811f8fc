"""The three ways in which Argo CD matches paths.

Directories of a git generator by Go's ``path.Match``, its files by ``git ls-files`` (``*`` goes over
``/``; applicationset's new globbing is off by default), value files by doublestar's ``FilepathGlob``.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from helmguard.gitops.tree import Paths

_MARKS = re.compile(r"[*?\[]")
_MOST_STARS = 4


class PatternError(Exception):
    """A pattern that would take long to match, or is none; the argument is a sentence about it."""


_BRACES = re.compile(r"\{([^{}]*)\}")


def is_glob(path: str) -> bool:
    """Whether a value file's path is a pattern (reposerver/repository/repository.go ``isGlobPath``)."""
    return _MARKS.search(path) is not None


def matches_directory(pattern: str, path: str) -> bool:
    """``path.Match``: ``*`` stops at ``/``. Raises PatternError."""
    return _compiled(pattern, "[^/]*", "[^/]*").fullmatch(path) is not None


def matches_pathspec(pattern: str, path: str) -> bool:
    """A git pathspec: a file, a folder's, or a pattern whose ``*`` goes over ``/``. Raises PatternError."""
    pattern = posixpath.normpath(pattern).removeprefix("./").lstrip("/") if pattern else "."
    if pattern == "." or path == pattern or path.startswith(f"{pattern}/"):
        return True
    return is_glob(pattern) and _compiled(pattern, ".*", ".*").fullmatch(path) is not None


def value_files(pattern: str, paths: Paths) -> list[str]:
    """The files of a doublestar pattern, those of a folder before those below it. Raises PatternError."""
    root = posixpath.dirname(_MARKS.split(pattern)[0])
    compiled = [_compiled(one, "[^/]*", ".*", segments=True) for one in _alternatives(pattern)]
    found = (path for path in paths.under(root) if any(one.fullmatch(path) for one in compiled))
    return sorted(found, key=_files_first)


def directories(paths: Iterable[str]) -> list[str]:
    """Every folder that holds a file, hidden ones and those below them left out."""
    found: dict[str, None] = {}
    for path in paths:
        parts = path.split("/")[:-1]
        for length in range(1, len(parts) + 1):
            if parts[length - 1].startswith("."):
                break
            found["/".join(parts[:length])] = None
    return sorted(found, key=lambda path: path.split("/"))


def _files_first(path: str) -> list[tuple[bool, str]]:
    *folders, name = path.split("/")
    return [*((True, folder) for folder in folders), (False, name)]


def _alternatives(pattern: str) -> Iterator[str]:
    braces = _BRACES.search(pattern)
    if braces is None:
        yield pattern
        return
    for part in braces[1].split(","):
        yield from _alternatives(pattern[: braces.start()] + part + pattern[braces.end() :])


@lru_cache(maxsize=256)
def _compiled(pattern: str, star: str, double: str, *, segments: bool = False) -> re.Pattern[str]:
    """The pattern as a regular expression; ``segments``: ``**/`` also means no folder at all."""
    if _takes_long(pattern, over_folders=star == ".*"):
        raise PatternError(f"the pattern {pattern[:100]} has more stars side by side than are tried")
    words: list[str] = []
    index = 0
    while index < len(pattern):
        char = pattern[index]
        if segments and pattern.startswith("**/", index) and (not index or pattern[index - 1] == "/"):
            words.append("(?:.*/)?")
            index += 3
        elif pattern.startswith("**", index):
            words.append(double)
            index += 2
        elif char == "*":
            words.append(star)
            index += 1
        elif char == "?":
            words.append("." if star == ".*" else "[^/]")
            index += 1
        elif char == "[":
            word, index = _character_class(pattern, index)
            words.append(word)
        elif char == "\\" and index + 1 < len(pattern):
            words.append(re.escape(pattern[index + 1]))
            index += 2
        else:
            words.append(re.escape(char))
            index += 1
    try:
        return re.compile("".join(words), re.DOTALL)
    except re.error:
        raise PatternError(f"the pattern {pattern[:100]} is malformed") from None


def _takes_long(pattern: str, *, over_folders: bool) -> bool:
    """Whether a pattern has so many stars side by side that trying them all takes no end."""
    doubles = len(re.findall(r"\*\*+", pattern))
    parts = [pattern] if over_folders else pattern.split("/")
    return doubles > _MOST_STARS or any(len(re.findall(r"\*+", part)) > _MOST_STARS for part in parts)


def _character_class(pattern: str, start: int) -> tuple[str, int]:
    end = pattern.find("]", start + 2)
    if end < 0:
        return re.escape("["), start + 1
    inside = pattern[start + 1 : end]
    negated = inside[0] in "^!"
    members = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside[1:] if negated else inside)
    return f"[{'^' if negated else ''}{members}]", end + 1
