"""What could not be read of a repository: what the change touches is told, the rest counted. Pure."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from helmguard.model.plan import Unknown

_READS_ITS_FOLDER = " helmfile"
"""A helmfile that cannot be read may take in any file beside it and below."""


def parted(
    after: Iterable[Unknown], before: Iterable[Unknown], changed: frozenset[str]
) -> tuple[tuple[Unknown, ...], tuple[Unknown, ...]]:
    """What the change touches or brings, and the rest; what only the base had is over, unless touched.

    ``changed`` are the paths of the files that differ.
    """
    now, known = dict.fromkeys(after), frozenset(before)
    touched, untouched = [], []
    for entry in dict.fromkeys((*now, *before)):
        # What could be read before is not to be read because of the change, wherever that is.
        if entry not in known or _is_touched(entry, changed):
            touched.append(entry)
        elif entry in now:
            untouched.append(entry)
    return tuple(touched), tuple(untouched)


def _is_touched(entry: Unknown, changed: frozenset[str]) -> bool:
    """Whether the file that the entry names at its start differs, or one that it reads."""
    if any(entry.what == path or entry.what.startswith((f"{path} ", f"{path}:")) for path in changed):
        return True
    file, found, _ = entry.what.partition(_READS_ITS_FOLDER)
    folder = posixpath.dirname(file)
    return bool(found) and bool(folder) and any(path.startswith(f"{folder}/") for path in changed)
