"""Globs over names and over field paths.

::

    name    prod-*                           * is any text, ? any one character
    path    spec.replicas                    the field and all that is under it
            spec.template.spec.containers[*].image
            spec.**.image                    ** is any number of steps, also none
            metadata.annotations["example.com/*"]
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache

from helmguard.model.field_path import FieldPath

_STEP = re.compile(
    r"""
    (?:^|\.)(?P<name>[^.\[\]"]+)                 # .name
    | (?:^|(?<=.))\["(?P<quoted>(?:[^"\\]|\\.)*)"\]    # ["any.name"]
    | (?:^|(?<=.))\[(?P<item>[^\]"]+)\]          # [name=web], [0], [*]
    """,
    re.VERBOSE,
)
_ANY_STEPS = "**"


def name_matches(glob: str, name: str) -> bool:
    """Whether the whole of ``name`` fits; an empty glob fits everything."""
    return not glob or _compiled(glob).fullmatch(name) is not None


def path_matches(glob: str, path: FieldPath) -> bool:
    """Whether ``path`` or something it is a part of fits; an empty glob fits everything."""
    return not glob or _fits(parse_path_glob(glob), tuple(map(str, path)))


def text_path_matches(glob: str, path: str) -> bool:
    """The same for a path in words, as findings have it; a text that is no path is compared as a name."""
    if not glob:
        return True
    try:
        steps = parse_path_glob(path)
    except ValueError:
        return name_matches(glob, path)
    return bool(path) and _fits(parse_path_glob(glob), steps)


@lru_cache(maxsize=512)
def parse_path_glob(text: str) -> tuple[str, ...]:
    """The steps of a path or path glob.

    Raises:
        ValueError: it is no path; the message says from where on.
    """
    steps: list[str] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None or found.end() == at:
            raise ValueError(f"no field path from {text[at:]!r} on")
        quoted = found["quoted"]
        if quoted is not None:
            steps.append(str(json.loads(f'"{quoted}"')))
        else:
            steps.append(found["name"] or found["item"])
        at = found.end()
    if not steps:
        raise ValueError("the path is empty")
    return tuple(steps)


def _fits(globs: Sequence[str], steps: Sequence[str]) -> bool:
    if not globs:
        return True
    if globs[0] == _ANY_STEPS:
        return any(_fits(globs[1:], steps[skipped:]) for skipped in range(len(steps) + 1))
    return bool(steps) and name_matches(globs[0], steps[0]) and _fits(globs[1:], steps[1:])


@lru_cache(maxsize=512)
def _compiled(glob: str) -> re.Pattern[str]:
    written = (".*" if part == "*" else "." if part == "?" else re.escape(part) for part in glob)
    return re.compile("".join(written), re.DOTALL)
