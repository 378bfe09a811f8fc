"""Keys a user sets that the chart does not know: misspelt, or gone since."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec

from helmguard.values.chart import Chart
from helmguard.values.coalesce import GLOBAL
from helmguard.values.dependencies import table_at
from helmguard.values.edit_distance import edit_distance
from helmguard.values.go_json import GoJSONError, decode_exact
from helmguard.values.table import ValuePath
from helmguard.values.template_reads import Reads, values_read

_QUIET = frozenset({GLOBAL, "tags"})
_CUTOFF = 0.7
"""How alike a key must be to be offered: `enable` and `enabled` are 0.92, `image` and `images2` 0.83."""

_SLIP = 0.4
"""The share of a key that may be mistyped: two letters of five, one of three."""


class UnknownKey(msgspec.Struct, frozen=True):
    """``nearest`` is the path of a known key that looks like it, None where none does."""

    path: ValuePath
    nearest: ValuePath | None


class _Scope:
    """One chart: defaults, sub-charts by the key they are set under, schema, what its templates read.

    ``conditions``: paths that an outer chart's dependency conditions ask for in this chart's values.
    """

    def __init__(self, chart: Chart, conditions: list[tuple[str, ...]]) -> None:
        self.chart = chart
        self.children = _children(chart)
        self.conditions = [*conditions, *_conditions(chart)]
        self.defaults = _defaults(chart)
        for condition in self.conditions:
            _add_known(self.defaults, condition)
        self.schema = _schema(chart)

    @cached_property
    def reads(self) -> Reads:
        """Scanned only when a key is unknown otherwise: large charts have megabytes of templates."""
        return _reads(self.chart)

    def conditions_below(self, key: str) -> list[tuple[str, ...]]:
        """The conditions that lie in a sub-chart's table."""
        return [condition[1:] for condition in self.conditions if condition[:1] == (key,)]


def find_unknown_keys(chart: Chart, config: dict[str, Any]) -> list[UnknownKey]:
    """The topmost keys of ``config`` that neither defaults, schema, sub-charts nor templates know.

    Quiet are: everything below a default that is an empty table, null, a list or a scalar; tables that a
    schema opens or a template takes as a whole; ``global`` and ``tags``; what import-values may bring.
    ``chart`` is the chart as loaded.
    """
    return list(_unknown_in_chart(_Scope(chart, []), config, ()))


def _unknown_in_chart(scope: _Scope, config: dict[str, Any], prefix: ValuePath) -> Iterator[UnknownKey]:
    known = {**dict.fromkeys(scope.children), **scope.defaults}
    for key, value in config.items():
        if key in _QUIET:
            continue
        child = scope.children.get(key)
        if child is not None:
            if isinstance(value, dict):
                below = _Scope(child, scope.conditions_below(key))
                yield from _unknown_in_chart(below, value, (*prefix, key))
            continue
        yield from _unknown_at(scope, known, key, value, (), prefix, scope.schema)


def _unknown_at(
    scope: _Scope,
    known: dict[str, Any],
    key: str,
    value: Any,
    path: tuple[str, ...],
    prefix: ValuePath,
    schema: Any,
) -> Iterator[UnknownKey]:
    here = (*path, key)
    below = _schema_below(schema, key)
    if key in known:
        default = known[key]
        if isinstance(value, dict) and isinstance(default, dict) and default:
            for inner, item in value.items():
                yield from _unknown_at(scope, default, inner, item, here, prefix, below)
        return
    if below is not None or _is_taken_whole(scope.reads, path) or _is_read(scope.reads, here):
        return
    yield UnknownKey((*prefix, *here), _nearest(key, known, (*prefix, *path)))


def _is_taken_whole(reads: Reads, path: tuple[str, ...]) -> bool:
    return any(path[: len(read)] == read for read in reads if len(read) <= len(path))


def _is_read(reads: Reads, path: tuple[str, ...]) -> bool:
    return any(read[: len(path)] == path for read in reads)


def _nearest(key: str, known: dict[str, Any], parent: ValuePath) -> ValuePath | None:
    names = sorted(known)
    for name in names:
        if name.lower() == key.lower():
            return (*parent, name)
    slips = [(slip, name) for name in names if (slip := edit_distance(key, name)) <= _SLIP * len(key)]
    if slips and min(slips)[0] <= 2:
        return (*parent, min(slips)[1])
    found = difflib.get_close_matches(key, names, n=1, cutoff=_CUTOFF)
    return (*parent, found[0]) if found else None


def _conditions(chart: Chart) -> list[tuple[str, ...]]:
    texts = [entry.condition for entry in chart.metadata.dependencies or ()]
    return [tuple(path.split(".")) for text in texts for path in text.strip().split(",") if path]


def _add_known(defaults: dict[str, Any], path: tuple[str, ...]) -> None:
    """Make a path known without changing the tables that the chart holds."""
    for key in path[:-1]:
        below = defaults.get(key)
        if key in defaults and not isinstance(below, dict):
            return
        defaults[key] = dict(below or {})
        defaults = defaults[key]
    defaults.setdefault(path[-1], None)


def _defaults(chart: Chart) -> dict[str, Any]:
    """The chart's own defaults, and an open place wherever import-values may put something."""
    defaults: dict[str, Any] = {}
    children = {child.name: child for child in chart.dependencies}
    for entry in chart.metadata.dependencies or ():
        child = children.get(entry.name)
        for wanted in entry.import_values if child is not None else ():
            assert child is not None
            if isinstance(wanted, dict) and str(wanted.get("parent")) != ".":
                defaults[str(wanted.get("parent")).split(".", 1)[0]] = None
                continue
            inner = str(wanted.get("child")) if isinstance(wanted, dict) else f"exports.{wanted}"
            brought = table_at(child.values, inner.split(".")) if child.values is not None else None
            defaults.update(dict.fromkeys(brought or ()))
    return {**defaults, **(chart.values or {})}


def _reads(chart: Chart) -> Reads:
    """What the chart's templates read, and those of library charts, which run with the chart's values."""
    libraries = [child for child in chart.dependencies if child.is_library]
    return values_read(chart).union(*(_reads(child) for child in libraries))


def _children(chart: Chart) -> dict[str, Chart]:
    """Sub-charts by the keys under which their values stand, whether enabled or not."""
    by_name = {child.name: child for child in chart.dependencies}
    children = dict(by_name)
    for entry in chart.metadata.dependencies or ():
        if entry.name in by_name:
            children[entry.alias or entry.name] = by_name[entry.name]
    return children


def _schema(chart: Chart) -> Any:
    if chart.schema is None:
        return None
    try:
        return decode_exact(chart.schema.decode("utf-8", "replace"))
    except GoJSONError:
        return None


def _schema_below(schema: Any, key: str) -> Any:
    """The schema for a key, True where it may be anything, None where the schema says nothing about it."""
    if schema is True:
        return True
    if not isinstance(schema, dict):
        return None
    if "$ref" in schema or any(
        word in schema for word in ("allOf", "anyOf", "oneOf", "patternProperties", "if")
    ):
        return True
    properties = schema.get("properties")
    if isinstance(properties, dict) and key in properties:
        return properties[key]
    additional = schema.get("additionalProperties")
    return additional if additional is True or isinstance(additional, dict) else None
