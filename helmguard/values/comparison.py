"""How a command changes the effective values, and where each side comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from helmguard.model.field_change import MISSING, or_null
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.value_change import Provenance, ProvenanceKind, ValueCause, ValueChange, ValueWarning
from helmguard.values.chart import Chart, ChartMetadata
from helmguard.values.coalesce import Coalescing
from helmguard.values.compute import ValuesResult
from helmguard.values.differences import dialect_of
from helmguard.values.provenance import origin_of
from helmguard.values.reuse import ConfigHistory, first_revision
from helmguard.values.table import Table, ValuePath, tables_from, to_json
from helmguard.values.value_tree import find, is_set, leaves, same_value

_COMMAND_KINDS: frozenset[ProvenanceKind] = frozenset(
    ["values file", "--set", "--set-string", "--set-json", "--set-file", "--set-literal", "null"]
)
_NOWHERE = Provenance("chart default")


class RecordedValues(msgspec.Struct, frozen=True):
    """The values a stored revision holds: what the user supplied and the chart's defaults of then.

    ``subcharts``: names or aliases of the sub-charts that its Chart.yaml lists and that were enabled, None
    where that is not known. A record holds the defaults of these alone: those of sub-charts that lie in
    ``charts/`` without being listed are in no record.
    """

    config: JSONObject
    defaults: JSONObject
    effective: JSONObject
    subcharts: frozenset[str] | None = None


def recorded_values(record: JSONObject, helm: HelmVersion) -> RecordedValues:
    """The values of ``{"config", "chart": {"values"}}``, as Helm coalesces them."""
    chart = record.get("chart") or {}
    config, defaults = record.get("config") or {}, chart.get("values") or {}
    return RecordedValues(config, defaults, coalesced(config, defaults, helm), _listed(chart.get("metadata")))


def _listed(metadata: JSONObject | None) -> frozenset[str] | None:
    """Processed metadata name the alias in ``name`` already, and only enabled sub-charts."""
    if not metadata or "version" not in metadata:
        return None
    entries = metadata.get("dependencies") or ()
    return frozenset(str(entry.get("name")) for entry in entries if isinstance(entry, dict))


def coalesced(config: JSONObject, defaults: JSONObject, helm: HelmVersion) -> JSONObject:
    """The user's values over the chart's, sub-charts aside."""
    chart = Chart(metadata=ChartMetadata(), values=_tables(defaults))
    plain: JSONObject = to_json(Coalescing(dialect_of(helm)).values(chart, _tables(config)))
    return plain


def _tables(values: JSONObject) -> Table:
    table: Table = tables_from(values, lambda _: _NOWHERE)
    return table


class ValueComparison(msgspec.Struct, frozen=True):
    """Two sides of one command. ``given`` are the user's values of this command; ``history`` the configs of
    the revisions up to the current one, oldest first."""

    before: RecordedValues
    after: RecordedValues
    result: ValuesResult
    given: JSONObject
    history: ConfigHistory = ()

    def changes(self) -> Iterator[ValueChange]:
        """Each leaf of the effective values that differs, sorted by path."""
        for path, before, after in effective_differences(self.before, self.after):
            yield self._change(path, before, after)

    def dropped_without_effect(self) -> Iterator[ValueWarning]:
        """Overrides of the current revision that the command loses and that change nothing by it."""
        for path, value in leaves(self.before.config):
            if not path or is_set(self.after.config, path) or is_set(self.given, path):
                continue
            before, after = find(self.before.effective, path), find(self.after.effective, path)
            if same_value(before, after):
                yield ValueWarning(
                    "override dropped without effect",
                    path,
                    "was set by you, is not set by this command, and equals the chart's default",
                    before=value,
                    after=or_null(after),
                    provenance=self._set_earlier(path),
                )

    def _change(self, path: ValuePath, before: Any, after: Any) -> ValueChange:
        was_set = is_set(self.before.config, path)
        origin = self._origin(path)
        if after is MISSING:
            # The default of a sub-chart that Chart.yaml does not list is in no record, but in force.
            after = to_json(find(self.result.values, path))
        return ValueChange(
            path=path,
            before=before,
            after=after,
            cause=self._cause(path, was_set, origin),
            provenance_before=self._set_earlier(path) if was_set else self._stored_default(before),
            provenance_after=origin,
            note=self._note(path, before, after, was_set),
        )

    def _cause(self, path: ValuePath, was_set: bool, origin: Provenance | None) -> ValueCause:
        if is_set(self.given, path) or (origin is not None and origin.kind in _COMMAND_KINDS):
            return "values"
        if is_set(self.after.config, path):
            return "values"
        if was_set:
            return "lost override"
        return "chart" if self._came_or_went(path) else "default"

    def _came_or_went(self, path: ValuePath) -> bool:
        """Whether the path lies in a listed sub-chart that only one side has."""
        before = self.before.subcharts
        if before is None:
            return False
        after = {scope[0] for scope in self.result.scopes if scope}
        top = str(path[0])
        return top in before if top not in after else top not in before

    def _note(self, path: ValuePath, before: Any, after: Any, was_set: bool) -> str:
        if is_set(self.given, path) or was_set:
            return ""
        if before is MISSING:
            return "new in the chart"
        return "no longer in the chart" if after is MISSING else ""

    def _stored_default(self, before: Any) -> Provenance | None:
        if before is MISSING:
            return None
        revision = self.history[-1][0] if self.history else 0
        return Provenance("chart default", revision=revision)

    def _set_earlier(self, path: ValuePath) -> Provenance:
        return Provenance(
            "previous revision", revision=first_revision(self.before.config, self.history, path)
        )

    def _origin(self, path: ValuePath) -> Provenance | None:
        return origin_of(path, self.result.provenance) or origin_of(path, self.result.removed)


def effective_differences(before: RecordedValues, after: RecordedValues) -> list[tuple[ValuePath, Any, Any]]:
    """(path, before, after) of each differing leaf, sorted; MISSING where a side has none.

    Lists of the same length are compared item by item, others are one leaf. So is a list that only the user
    of the first side set: it is lost as a whole. A global value is one leaf, though Helm copies it into the
    values of every sub-chart.
    """

    def is_whole(path: ValuePath) -> bool:
        return is_set(before.config, path) and not is_set(after.config, path)

    found = {
        path: (old, new) for path, old, new in _differences(before.effective, after.effective, (), is_whole)
    }
    configs = (before.config, after.config)
    kept = [(path, *change) for path, change in found.items() if not _is_copy_of_global(path, found, configs)]
    return sorted(kept, key=lambda change: str(change[0]))


def _is_copy_of_global(
    path: ValuePath, found: Mapping[ValuePath, tuple[Any, Any]], configs: Iterable[JSONObject]
) -> bool:
    """Whether the release's ``global`` changed in the same way and no user set the value for a sub-chart."""
    if "global" not in path[1:]:
        return False
    original = found.get(path[path.index("global", 1) :])
    if original is None or not all(map(same_value, original, found[path])):
        return False
    return not any(is_set(config, path) for config in configs)


def _differences(
    before: Any, after: Any, path: ValuePath, is_whole: Callable[[ValuePath], bool]
) -> Iterator[tuple[ValuePath, Any, Any]]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            at = (*path, key)
            yield from _differences(before.get(key, MISSING), after.get(key, MISSING), at, is_whole)
    elif isinstance(before, dict) and after is MISSING:
        yield from ((leaf, value, MISSING) for leaf, value in leaves(before, path))
    elif isinstance(after, dict) and before is MISSING:
        yield from ((leaf, MISSING, value) for leaf, value in leaves(after, path))
    elif _pair_up(before, after) and not is_whole(path):
        for index, (left, right) in enumerate(zip(before, after, strict=True)):
            yield from _differences(left, right, (*path, index), is_whole)
    elif before is MISSING or after is MISSING or not same_value(before, after):
        yield path, before, after


def _pair_up(before: Any, after: Any) -> bool:
    return isinstance(before, list) and isinstance(after, list) and len(before) == len(after)
