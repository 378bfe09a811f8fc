"""What is odd about the values a user gives: lists that lose items, changed types, keys nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.field_change import MISSING
from helmguard.model.field_path import format_path
from helmguard.model.json_value import JSONObject
from helmguard.model.value_change import ValueWarning
from helmguard.values.chart import Chart
from helmguard.values.list_losses import list_losses
from helmguard.values.provenance import Provenances, origin_of
from helmguard.values.unknown_keys import find_unknown_keys
from helmguard.values.value_tree import find, json_type, leaves, same_value


def replaced_lists(
    given: JSONObject, before: JSONObject, defaults: JSONObject, origins: Provenances
) -> Iterator[ValueWarning]:
    """Lists of this command that drop items which the list in force has, or the chart's where none is."""
    for path, value in leaves(given):
        current = find(before, path)
        if not isinstance(value, list) or same_value(value, current):
            continue
        in_force = isinstance(current, list)
        other = current if in_force else find(defaults, path)
        lost = list_losses(other, value) if isinstance(other, list) else []
        if lost:
            name = "the list in force" if in_force else "the chart's list"
            yield ValueWarning(
                "list replaced",
                path,
                f"replaces {name} and loses {'; '.join(lost)}. Helm never merges lists",
                before=other,
                after=value,
                provenance=origins.get(path),
                items=tuple(lost),
            )


def changed_types(given: JSONObject, defaults: JSONObject, origins: Provenances) -> Iterator[ValueWarning]:
    """Values of this command whose type is not that of the chart's default."""
    for path, value in leaves(given):
        default = find(defaults, path)
        if value is None or default is MISSING or default in (None, "", [], {}):
            # Charts write something empty for "not set", whatever the type is to be.
            continue
        was, now = json_type(default), json_type(value)
        if was == now or now == "map" or (was == "map" and len(path) > 1):
            # A conflict that Helm warns about by itself, but for what takes the place of a map at the top
            # (helm/helm@v3.22.0 pkg/chartutil/coalesce.go, coalesceValues).
            continue
        hint = "; in a template's `if` any text but the empty one counts as true" if was == "boolean" else ""
        hint = "; all its defaults are dropped, and Helm says nothing" if was == "map" else hint
        yield ValueWarning(
            "type changed",
            path,
            f"is a {now}, the chart's default is a {was}{hint}",
            before=default,
            after=value,
            provenance=origins.get(path),
        )


def unknown_keys(chart: Chart, config: JSONObject, origins: Provenances) -> Iterator[ValueWarning]:
    """User-supplied keys that the chart has no default for and no template of it reads."""
    for unknown in find_unknown_keys(chart, config):
        nearest = "" if unknown.nearest is None else format_path(unknown.nearest)
        yield ValueWarning(
            "unknown key",
            unknown.path,
            "is not among the chart's values and no template reads it"
            + (f"; did you mean {nearest}?" if nearest else ""),
            after=find(config, unknown.path),
            nearest=nearest,
            provenance=origin_of(unknown.path, origins),
        )
