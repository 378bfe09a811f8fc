"""The sub-charts that a chart lists, before and after an upgrade."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from helmguard.model.json_value import JSONObject
from helmguard.model.value_facts import Subchart
from helmguard.values.chart import Chart, Dependency


def subcharts(record: JSONObject | None, chart: Chart, enabled: Iterable[str]) -> Iterator[Subchart]:
    """Each dependency of either side.

    ``record`` is the chart of the current revision as stored (processed: aliases in place of names, enabled
    dependencies alone), None for an install; ``chart`` the new one as loaded; ``enabled`` the paths of the
    charts that take part.
    """
    stored = _stored(record)
    if stored is None:
        return
    paths, held = frozenset(enabled), {child.name: child for child in chart.dependencies}
    entries = {entry.alias or entry.name: entry for entry in chart.metadata.dependencies or ()}
    for name in {**stored, **entries}:
        entry = entries.get(name)
        child = held.get(entry.name) if entry is not None else None
        yield Subchart(
            name=name,
            enabled_before=name in stored,
            enabled_after=entry is not None and f"{chart.name}/charts/{name}" in paths,
            listed=entry is not None,
            before=stored.get(name, ""),
            after=child.metadata.version if child is not None else "",
            condition=_condition(entry),
            tags=tuple(entry.tags) if entry is not None else (),
        )


def _stored(record: JSONObject | None) -> dict[str, str] | None:
    """Versions by name: the locked one where there is a lock, else what Chart.yaml asks for."""
    metadata = (record or {}).get("metadata")
    if not isinstance(metadata, dict) or "version" not in metadata:
        return None
    locked = {
        str(entry.get("name")): str(entry.get("version") or "")
        for entry in ((record or {}).get("lock") or {}).get("dependencies") or ()
        if isinstance(entry, dict)
    }
    entries = [entry for entry in metadata.get("dependencies") or () if isinstance(entry, dict)]
    return {
        str(entry.get("name")): locked.get(str(entry.get("name"))) or str(entry.get("version") or "")
        for entry in entries
    }


def _condition(entry: Dependency | None) -> str:
    return entry.condition.strip() if entry is not None else ""
