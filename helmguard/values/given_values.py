"""What is odd about the values a user gives: lists that lose items, changed types, keys nobody reads."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from helmguard.model.field_change import MISSING
from helmguard.model.json_value import JSONObject
from helmguard.model.value_change import Provenance, ValueWarning
from helmguard.values.chart import Chart
from helmguard.values.table import ValuePath
from helmguard.values.value_tree import find, json_type, leaves, same_value

_READ_BY_HELM = frozenset(["global", "tags"])
_ITEM_NAMES = ("name", "key", "host", "mountPath", "path")

Origins = Mapping[ValuePath, Provenance]


def replaced_lists(
    given: JSONObject, before: JSONObject, defaults: JSONObject, origins: Origins
) -> Iterator[ValueWarning]:
    """Lists of this command that drop items which the list in force, or the chart's, has."""
    for path, value in leaves(given):
        current = find(before, path)
        if not isinstance(value, list) or same_value(value, current):
            continue
        for name, other in (("the list in force", current), ("the chart's list", find(defaults, path))):
            lost = _lost_items(other, value) if isinstance(other, list) else []
            if lost:
                yield ValueWarning(
                    "list replaced",
                    path,
                    f"replaces {name} and loses {', '.join(lost)}; Helm never merges lists",
                    before=other,
                    after=value,
                    provenance=origins.get(path),
                )
                break


def changed_types(given: JSONObject, defaults: JSONObject, origins: Origins) -> Iterator[ValueWarning]:
    """Values of this command whose type is not that of the chart's default."""
    for path, value in leaves(given):
        default = find(defaults, path)
        if value is None or default is None or default is MISSING:
            continue
        was, now = json_type(default), json_type(value)
        if was == now or "map" in (was, now):
            # A map against something else is a conflict that Helm warns about by itself.
            continue
        hint = "; in a template's `if` any text but the empty one counts as true" if was == "boolean" else ""
        yield ValueWarning(
            "type changed",
            path,
            f"is a {now}, the chart's default is a {was}{hint}",
            before=default,
            after=value,
            provenance=origins.get(path),
        )


def unknown_keys(chart: Chart, config: JSONObject, origins: Origins) -> Iterator[ValueWarning]:
    """User-supplied keys that the chart has no default for and no template of it names."""
    yield from _unknown(chart, config, _defaults(chart), (), _texts(chart), origins)


def _unknown(
    chart: Chart | None,
    config: Any,
    defaults: Any,
    path: ValuePath,
    texts: str,
    origins: Origins,
) -> Iterator[ValueWarning]:
    if not isinstance(config, dict) or not isinstance(defaults, dict) or not defaults:
        return
    children = _children(chart) if chart else {}
    for key, value in config.items():
        here = (*path, key)
        if key in children:
            child = children[key]
            yield from _unknown(child, value, _defaults(child), here, _texts(child), origins)
        elif key in defaults:
            yield from _unknown(None, value, defaults[key], here, texts, origins)
        elif not (key in _READ_BY_HELM and chart) and not _is_read(here, texts):
            names = [*defaults, *children]
            nearest = _nearest(key, names)
            hint = f"; did you mean {'.'.join(map(str, (*path, nearest)))}?" if nearest else ""
            yield ValueWarning(
                "unknown key",
                here,
                f"is not among the chart's values and no template reads it{hint}",
                after=value,
                nearest=nearest,
                provenance=_origin(here, origins),
            )


def _children(chart: Chart) -> dict[str, Chart]:
    """Sub-charts by the key their values stand under."""
    charts = {child.name: child for child in chart.dependencies}
    for entry in chart.metadata.dependencies or ():
        if entry.alias and entry.name in charts:
            charts[entry.alias] = charts[entry.name]
    return charts


def _defaults(chart: Chart) -> JSONObject:
    return dict(chart.values or {})


def _texts(chart: Chart) -> str:
    """The templates as one text, and the schema's property names: a schema may open what values lack."""
    templates = "\n".join(file.data.decode("utf-8", errors="replace") for file in chart.templates)
    return templates + (chart.schema or b"").decode("utf-8", errors="replace")


def _is_read(path: ValuePath, texts: str) -> bool:
    """Whether some template may read the key: named in full, or by its name where its map is passed whole."""
    names = [re.escape(str(step)) for step in path]
    full = "".join(rf"\.{name}" for name in ["Values", *names])
    if re.search(rf"{full}\b", texts):
        return True
    whole = "".join(rf"\.{name}" for name in ["Values", *names[:-1]])
    passed_whole = re.search(rf"{whole}(?![\w.])", texts) is not None
    return passed_whole and re.search(rf'(\.|"|`){names[-1]}\b', texts) is not None


def _nearest(key: str, names: list[str]) -> str:
    for name in names:
        if name.lower() == key.lower():
            return name
    found = difflib.get_close_matches(key, names, n=1, cutoff=0.75)
    return found[0] if found else ""


def _origin(path: ValuePath, origins: Origins) -> Provenance | None:
    if path in origins:
        return origins[path]
    return next((origin for leaf, origin in origins.items() if leaf[: len(path)] == path), None)


def _lost_items(old: list[Any], new: list[Any]) -> list[str]:
    named = _by_name(old)
    if named is not None:
        kept = _by_name(new) or {}
        return [name for name in named if name not in kept] + _lost_keys(named, kept)
    return [str(item) for item in old if not any(same_value(item, other) for other in new)][:5]


def _by_name(items: list[Any]) -> dict[str, Any] | None:
    for field in _ITEM_NAMES:
        if items and all(isinstance(item, dict) and isinstance(item.get(field), str) for item in items):
            return {item[field]: item for item in items}
    return None


def _lost_keys(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [f"{name}.{key}" for name in old if name in new for key in old[name] if key not in new[name]]
