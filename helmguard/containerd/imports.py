"""``imports`` of a containerd configuration file: which files they name.

As ``resolveImports`` of containerd 1.7.29, 2.1.4 and 2.3.0 does it (the same in all): a path is cleaned, a
relative one is taken from the folder of the file that imports it, and only a path with ``*`` is a pattern.
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterable

from helmguard.values.go_match import MalformedPatternError, go_match


def imports_of(text: str) -> tuple[str, ...]:
    """The imports of a file as they are written; none where it is no TOML or has no list of texts there."""
    try:
        found = tomllib.loads(text.removeprefix("\ufeff")).get("imports")
    except (tomllib.TOMLDecodeError, RecursionError, UnicodeError):
        return ()
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def has_glob(pattern: str) -> bool:
    """Whether it is a pattern: ``?`` and ``[`` alone make none."""
    return "*" in pattern


def absolute(pattern: str, parent: str) -> str:
    """The path that an import names, seen from the file ``parent``."""
    return clean(pattern if pattern.startswith("/") else posixpath.join(posixpath.dirname(parent), pattern))


def clean(path: str) -> str:
    """Go's ``filepath.Clean`` of an absolute path."""
    cleaned = posixpath.normpath(path)
    return cleaned[1:] if cleaned.startswith("//") else cleaned


def import_matches(pattern: str, parent: str, exists: Iterable[str]) -> list[str]:
    """The files that an import names, in the order in which containerd reads them.

    ``exists`` are the paths that there are. A plain path is given whether it is there or not.

    Raises:
        MalformedPatternError: Go cannot read the pattern.
    """
    path = absolute(pattern, parent)
    if not has_glob(path):
        return [path]
    matcher = go_match(path)
    return sorted((one for one in exists if matcher.fullmatch(one)), key=lambda one: one.split("/"))


__all__ = ["MalformedPatternError", "absolute", "clean", "has_glob", "import_matches", "imports_of"]
