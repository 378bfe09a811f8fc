"""How Helm lays values over a chart's defaults.

helm/helm@v3.22.0 pkg/chartutil/coalesce.go, helm/helm@v4.3.1 pkg/chart/common/util/coalesce.go. Both tables
of a merge are changed, as in Helm: a null of the winner is also put into the loser.
"""

from __future__ import annotations

import msgspec

from helmguard.errors import ValuesError
from helmguard.values.chart import Chart
from helmguard.values.differences import HelmDialect
from helmguard.values.go_format import bad_bool_verb
from helmguard.values.table import Table, copy_tree, is_table

GLOBAL = "global"


class MergeWarning(msgspec.Struct, frozen=True):
    """A value that Helm leaves out of the result; ``path`` is dotted, from the chart's name on."""

    kind: str
    path: str
    message: str


class Coalescing(msgspec.Struct):
    """One run of Helm's merging: whose rules, and what it would log."""

    dialect: HelmDialect
    warnings: list[MergeWarning] = []

    def values(self, chart: Chart, values: Table | None) -> Table:
        """Helm's CoalesceValues: a copy of the values over all defaults; nulls delete what they meet.

        Raises:
            ValuesError: a sub-chart's key holds no table.
        """
        return self._coalesce(chart, Table() if values is None else copy_tree(values), "", merge=False)

    def merge_values(self, chart: Chart) -> Table:
        """Helm's MergeValues of no user values: the defaults of a chart and its sub-charts, nulls kept."""
        return self._coalesce(chart, Table(), "", merge=True)

    def tables(self, high: Table, low: Table | None, prefix: str = "", *, merge: bool = False) -> Table:
        """Lay ``high`` over ``low`` and return ``high``; without ``merge`` a null deletes the key it meets.

        Both are changed.
        """
        if low is None:
            return high
        met_by_null = {key for key, value in low.items() if value is not None}
        for key, value in high.items():
            if value is None:
                low.put(key, None, high.origins.get(key))
        for key, value in list(low.items()):
            if key not in high:
                high.take(low, key)
                continue
            winner = high[key]
            if winner is None and not merge and key in met_by_null:
                high.remove_by_null(key)
            elif is_table(value):
                if is_table(winner):
                    self.tables(winner, value, _join(prefix, key), merge=merge)
                else:
                    self._warn(
                        "table", _join(prefix, key), "warning: cannot overwrite table with non table for {}"
                    )
            elif is_table(winner) and value is not None:
                self._warn(
                    "table",
                    _join(prefix, key),
                    "warning: destination for {} is a table. Ignoring non-table value",
                )
        return high

    def _coalesce(self, chart: Chart, values: Table, prefix: str, *, merge: bool) -> Table:
        self._chart_values(chart, values, prefix, merge=merge)
        prefix = _join(prefix, chart.name)
        for child in chart.dependencies:
            if child.name not in values:
                values[child.name] = Table()
            elif not is_table(values[child.name]):
                raise ValuesError(
                    f"type mismatch on {child.name}: {bad_bool_verb(values[child.name])}",
                    remedy=f"give a table under {child.name}: it holds the values of a sub-chart",
                )
            self._globals(values[child.name], values, prefix)
            self._coalesce(child, values[child.name], prefix, merge=merge)
        return values

    def _chart_values(self, chart: Chart, values: Table, prefix: str, *, merge: bool) -> None:
        prefix = _join(prefix, chart.name)
        defaults: Table = copy_tree(chart.values if chart.values is not None else Table())
        children = {child.name for child in chart.dependencies}
        for key, default in defaults.items():
            if key in values:
                self._one_value(values, defaults, key, prefix, merge=merge, child=key in children)
            elif merge or not self.dialect.cleans_chart_nulls:
                values.take(defaults, key)
            elif default is not None:
                if is_table(default):
                    clean_nulls(default)
                values.take(defaults, key)

    def _one_value(
        self, values: Table, defaults: Table, key: str, prefix: str, *, merge: bool, child: bool
    ) -> None:
        value, default = values[key], defaults[key]
        if value is None and not merge:
            values.remove_by_null(key)
        elif is_table(value):
            if not is_table(default):
                if default is not None:
                    self._warn("table", _join(prefix, key), "warning: skipped value for {}: Not a table.")
                return
            merge = merge or child
            if self.dialect.cleans_chart_nulls and not merge:
                clean_nulls(default)
            self.tables(value, default, _join(prefix, key), merge=merge)

    def _globals(self, child: Table, parent: Table, prefix: str) -> None:
        """Lay the parent's globals over the child's; tables are copied one level, what is below is shared."""
        below = child.get(GLOBAL, Table())
        above = parent.get(GLOBAL, Table())
        if not is_table(below):
            self._warn(
                "global", prefix, "warning: skipping globals because destination global is not a table."
            )
            return
        if not is_table(above):
            self._warn("global", prefix, "warning: skipping globals because source global is not a table.")
            return
        for key, value in list(above.items()):
            existing = below.get(key)
            if is_table(value):
                copied = value.shallow_copy()
                if key not in below:
                    below.put(key, copied, above.origins.get(key))
                elif not is_table(existing):
                    self._warn(
                        "global", _join(prefix, key), "Conflict: cannot merge map onto non-map for {}."
                    )
                else:
                    self.tables(copied, existing, _join(prefix, key), merge=True)
                    below.put(key, copied, above.origins.get(key))
            elif is_table(existing):
                self._warn("global", _join(prefix, key), "key {} is table. Skipping")
            else:
                below.take(above, key)
        child[GLOBAL] = below

    def _warn(self, kind: str, path: str, message: str) -> None:
        warning = MergeWarning(kind, path, message.format(path))
        if warning not in self.warnings:
            self.warnings.append(warning)


def clean_nulls(table: Table) -> None:
    """Drop nulls at every level, in place (Helm 4, for a chart's own values)."""
    for key in [key for key, value in table.items() if value is None]:
        del table[key]
    for value in table.values():
        if isinstance(value, Table):
            clean_nulls(value)


def _join(prefix: str, key: str) -> str:
    return f"{prefix}.{key}" if prefix else key
