"""Which values the templates of a chart read, as far as their text tells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.values.chart import Chart

_DOTTED = re.compile(r"\.Values((?:\.[A-Za-z_][A-Za-z0-9_]*)*)(?![A-Za-z0-9_])")
_INDEXED = re.compile(r"\bindex\s+\$?\.Values((?:\.[A-Za-z_][A-Za-z0-9_]*)*)((?:\s+\"[^\"]*\")+)")
_QUOTED = re.compile(r"\"([^\"]*)\"")
_ACTION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_COMMENT = re.compile(r"\{\{-?\s*/\*.*?\*/\s*-?\}\}", re.DOTALL)

Reads = frozenset[tuple[str, ...]]


def values_read(chart: Chart) -> Reads:
    """Paths of values that a chart's own templates name; ``()`` where one takes all values at once.

    A path may stand for all that lies below it: ``toYaml .Values.nodeSelector`` reads every key of the
    table.
    """
    return frozenset(
        path for file in chart.templates for path in _reads(file.data.decode("utf-8", "replace"))
    )


def template_actions(text: str) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    """The actions of a template that name values, ``{{ ... }}`` as written, each with the paths it names."""
    for action in _ACTION.findall(_COMMENT.sub("", text)):
        if ".Values" in action:
            yield action, tuple(paths_in(action))


def paths_in(action: str) -> Iterator[tuple[str, ...]]:
    """The paths of values that one action names."""
    for match in _INDEXED.finditer(action):
        yield (*_steps(match.group(1)), *_QUOTED.findall(match.group(2)))
    for match in _DOTTED.finditer(_INDEXED.sub("", action)):
        yield _steps(match.group(1))


def _reads(text: str) -> Iterator[tuple[str, ...]]:
    for _, paths in template_actions(text):
        yield from paths


def _steps(dotted: str) -> tuple[str, ...]:
    return tuple(step for step in dotted.split(".") if step)
