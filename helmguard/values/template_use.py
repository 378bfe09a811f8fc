"""How the templates of a chart and its sub-charts use a value, as far as their text tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from helmguard.model.value_facts import HowUsed, TemplateUse
from helmguard.values.chart import Chart
from helmguard.values.coalesce import GLOBAL
from helmguard.values.table import ValuePath
from helmguard.values.template_reads import template_actions

_PLAIN = re.compile(r"-?\s*\$?\.Values(?:\.\w+)+(?:\s*\|\s*(?:quote|squote|toString|trim|int|int64))*\s*-?")
_FALLBACKS = re.compile(r"\b(?:default|dig|coalesce|hasKey)\b")


class _Read(msgspec.Struct, frozen=True):
    """One mention of a value in an action of a template."""

    path: tuple[str, ...]
    template: str
    is_plain: bool
    has_fallback: bool


class TemplateUses:
    """Looks values up in the templates of the charts that take part; each chart is scanned once, when asked.

    ``enabled`` are the paths of the charts that are rendered (``root/charts/sub``). ``chart`` is the chart
    as loaded.
    """

    def __init__(self, chart: Chart, enabled: Iterable[str]) -> None:
        self._chart = chart
        self._enabled = frozenset(enabled)
        self._reads: dict[str, tuple[_Read, ...]] = {}

    def of(self, path: ValuePath) -> TemplateUse:
        """How the value is used; positions in lists count as the list."""
        names = _names(path)
        found = [
            (read, local)
            for place, chart, local in self._places(self._chart, self._chart.name, names)
            for read in self._reads_of(place, chart)
            if _concerns(read.path, local)
        ]
        templates = tuple(dict.fromkeys(read.template for read, _ in found if read.path))
        return TemplateUse(_how(found), templates)

    def _places(
        self, chart: Chart, place: str, path: tuple[str, ...]
    ) -> Iterator[tuple[str, Chart, tuple[str, ...]]]:
        """The charts that see the value, with the path by which they see it."""
        yield place, chart, path
        for name, child in _children(chart):
            inner = f"{place}/charts/{name}"
            if inner not in self._enabled:
                continue
            if path[:1] == (GLOBAL,):
                yield from self._places(child, inner, path)
            elif path[:1] == (name,) and len(path) > 1:
                yield from self._places(child, inner, path[1:])

    def _reads_of(self, place: str, chart: Chart) -> tuple[_Read, ...]:
        if place not in self._reads:
            self._reads[place] = tuple(_reads_in(place, chart))
        return self._reads[place]


def _reads_in(place: str, chart: Chart) -> Iterator[_Read]:
    """What the chart's templates name, and those of its library charts, which run with its values."""
    for file in chart.templates:
        for action, paths in template_actions(file.data.decode("utf-8", "replace")):
            plain = _PLAIN.fullmatch(action[2:-2].strip()) is not None
            fallback = _FALLBACKS.search(action) is not None
            for path in paths:
                yield _Read(path, f"{place}/{file.name}", plain, fallback)
    for name, child in _children(chart):
        if child.is_library:
            yield from _reads_in(f"{place}/charts/{name}", child)


def _children(chart: Chart) -> Iterator[tuple[str, Chart]]:
    """Sub-charts by the keys of their values."""
    by_name = {child.name: child for child in chart.dependencies}
    listed: set[str] = set()
    for entry in chart.metadata.dependencies or ():
        if entry.name in by_name:
            listed.add(entry.name)
            yield entry.alias or entry.name, by_name[entry.name]
    yield from ((name, child) for name, child in by_name.items() if name not in listed)


def _names(path: ValuePath) -> tuple[str, ...]:
    names = []
    for step in path:
        if not isinstance(step, str):
            break
        names.append(step)
    return tuple(names)


def _concerns(read: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether a mention is of the value, of something in it, or of a table that holds it."""
    shared = min(len(read), len(path))
    return read[:shared] == path[:shared]


def _how(found: list[tuple[_Read, tuple[str, ...]]]) -> HowUsed:
    if not found:
        return "unread"
    if all(read.has_fallback for read, _ in found):
        return "guarded"
    # A table that holds the value is never printed plainly: Go would write map[...].
    if all(read.is_plain and read.path == path for read, path in found):
        return "printed"
    return "tested"
