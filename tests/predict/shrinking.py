"""Making a case that shows a disagreement as small as it goes."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from agreement import Case, Disagreement, disagreements
from controlplane.client import ControlPlane
from kinds import Place

_TRIES = 150


def shrunk(
    case: Case, problem: Disagreement, place: Place, server: ControlPlane
) -> tuple[Case, Disagreement]:
    """The smallest case found that disagrees in the same way and respect."""
    tries = 0
    progress = True
    while progress and tries < _TRIES:
        progress = False
        for smaller in _smaller(case):
            tries += 1
            if tries > _TRIES:
                break
            _, found = disagreements(smaller, place, server, only=problem.mode)
            same = next((one for one in found if one.what == problem.what), None)
            if same is not None:
                case, problem, progress = smaller, same, True
                break
    return case, problem


def _smaller(case: Case) -> Iterator[Case]:
    for index in range(len(case.edits)):
        yield replace(case, edits=case.edits[:index] + case.edits[index + 1 :])
    if case.old != case.new:
        yield replace(case, old=copy.deepcopy(case.new))
    # A part that both manifests hold goes from both at once.
    for path in _paths(case.new):
        yield replace(case, old=_without(case.old, path), new=_without(case.new, path))
    for path in _paths(case.new):
        yield replace(case, new=_without(case.new, path))
    for path in _paths(case.old):
        yield replace(case, old=_without(case.old, path))
    for index, (how, manager, body) in enumerate(case.edits):
        for path in _paths(body):
            edit = (how, manager, _without(body, path))
            yield replace(case, edits=(*case.edits[:index], edit, *case.edits[index + 1 :]))


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if (path and path[0] in ("apiVersion", "kind")) or path[:2] in (
        ("metadata", "name"),
        ("metadata", "namespace"),
    ):
        return
    if path and path != ("metadata",):
        yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in pairs:
        yield from _paths(below, (*path, key))


def _without(body: Any, path: tuple[Any, ...]) -> Any:
    result = copy.deepcopy(body)
    here = result
    for step in path[:-1]:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            return result
    with contextlib.suppress(KeyError, IndexError, TypeError):
        del here[path[-1]]
    return result
