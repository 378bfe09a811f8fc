"""Which values a template depends on at the place where its rendering fails."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.values.chart import Chart, ChartFile
from helmguard.values.template_reads import paths_in

_PLACE = re.compile(r"(?P<template>[^\s:()]+/[^\s:()]+):(?P<line>\d+)(?::(?P<column>\d+))?")
_NIL_POINTER = re.compile(
    r"at <(?P<expression>[^>]*)>:\s*nil pointer evaluating interface \{\}\.(?P<field>\w+)"
)
_ACTION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_KEYWORD = re.compile(r"\{\{-?\s*(\w+)")
_VARIABLE = re.compile(r"\$\w+")
_ASSIGNED = re.compile(r"\{\{-?\s*(?:else\s+)?(?:if\s+|with\s+)?(\$\w+)\s*:?=")
_NO_VALUES_FAULT = ("no template ", "YAML parse error", "parse error at")
"""The template itself, or what it wrote, is at fault."""
_OPENS = frozenset(["if", "with", "range", "define", "block"])

Names = tuple[str, ...]


def failing_values(chart: Chart, message: str) -> tuple[Names, ...]:
    """Paths of the values that decide about a failure, nearest first; empty where that cannot be told.

    ``message`` is Helm's. Of a nil pointer that is the value that is missing; of ``fail`` and ``required``
    what the failing action and the conditions around it name.
    """
    places = list(_PLACE.finditer(message))
    if not places or any(words in message for words in _NO_VALUES_FAULT):
        return ()
    found = _template(chart, places[-1]["template"])
    if found is None:
        return ()
    prefix, file = found
    missing = _missing(message)
    if missing:
        return ((*prefix, *missing),)
    text = file.data.decode("utf-8", "replace")
    at = _offset(text, int(places[-1]["line"]), int(places[-1]["column"] or 0))
    return tuple(dict.fromkeys((*prefix, *path) for path in _paths_at(text, at) if path))


def _missing(message: str) -> Names:
    """The path up to the key that was nil: ``nil pointer evaluating interface {}.b`` at ``.Values.a.b``."""
    for match in reversed(list(_NIL_POINTER.finditer(message))):
        for path in paths_in(match["expression"]):
            if match["field"] in path[1:]:
                return path[: path.index(match["field"], 1)]
    return ()


def _template(chart: Chart, name: str) -> tuple[Names, ChartFile] | None:
    """The file, and where the values of its chart stand in the parent's: ``web/charts/db/...``."""
    inner = name.removeprefix(f"{chart.name}/")
    for file in chart.templates:
        if file.name == inner:
            return (), file
    match = re.match(r"charts/([^/]+)/", inner)
    if match is None:
        return None
    for entry in chart.metadata.dependencies or ():
        if match[1] in (entry.alias, entry.name):
            child = next((one for one in chart.dependencies if one.name == entry.name), None)
            break
    else:
        child = next((one for one in chart.dependencies if one.name == match[1]), None)
    if child is None:
        return None
    below = _template(child, f"{child.name}/{inner[match.end() :]}")
    return ((match[1], *below[0]), below[1]) if below else None


def _offset(text: str, line: int, column: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    return start + column


def _paths_at(text: str, at: int) -> Iterator[Names]:
    """What the action at the offset names, then the conditions around it from the inside out."""
    around: list[str] = []
    variables: dict[str, tuple[Names, ...]] = {}
    for match in _ACTION.finditer(text):
        action = match[0]
        keyword = (_KEYWORD.match(action) or [action, ""])[1]
        if match.end() > at:
            yield from _named(action, variables)
            for condition in reversed(around):
                yield from _named(condition, variables)
            return
        assigned = _ASSIGNED.match(action)
        if assigned is not None:
            variables[assigned[1]] = tuple(_named(action, variables))
        if keyword in _OPENS:
            around.append(action)
        elif keyword == "else" and around:
            around[-1] += action
        elif keyword == "end" and around:
            around.pop()


def _named(action: str, variables: dict[str, tuple[Names, ...]]) -> Iterator[Names]:
    yield from paths_in(action)
    for name in _VARIABLE.findall(action):
        yield from variables.get(name, ())
