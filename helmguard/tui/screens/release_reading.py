"""What is read about listed releases, in the background: charts of those in view, drift of all."""

from __future__ import annotations

from functools import partial

from textual.timer import Timer
from textual.widgets import Static

from helmguard.cluster.concurrently import run_concurrently
from helmguard.errors import HelmguardError
from helmguard.model.release_state import RevisionRef
from helmguard.report.drift_rows import DriftRow, row_of
from helmguard.report.escaping import escape_line
from helmguard.report.release_rows import ReleaseRow, ReleasesView
from helmguard.tui.widgets.release_list import ReleaseList
from helmguard.tui.work import Report, WorkScreen

_ROWS_AT_ONCE = 8
_DRIFT_SHOWN_AFTER = 0.25
"""Seconds in which results gather before the list is laid out anew."""


class ReleaseReading(WorkScreen[None]):
    """``every`` release that is listed, and the ``view`` of them."""

    def __init__(self) -> None:
        super().__init__()
        self.every: list[ReleaseRow] = []
        self.view = ReleasesView()
        self._soon: Timer | None = None

    def show_releases(self, *, first: bool = False) -> None:
        """Show what the view lets through; ``first`` puts the cursor on the first of them."""
        raise NotImplementedError

    # Charts: of the releases in view alone.

    def on_release_list_seen(self, event: ReleaseList.Seen) -> None:
        """Read the charts of what is in view."""
        unread = [row for row in event.rows if not row.chart_read]
        if unread:
            self.work(
                partial(self._read_charts, unread), lambda _: None, group="charts", failed=lambda _: None
            )

    def _read_charts(self, rows: list[ReleaseRow], report: Report) -> None:
        for first in range(0, len(rows), _ROWS_AT_ONCE):
            report("")
            some = rows[first : first + _ROWS_AT_ONCE]
            found = run_concurrently([partial(self._chart_of, row) for row in some])
            self.show_if_wanted(self._charts_read, list(zip(some, found, strict=True)))

    def _chart_of(self, row: ReleaseRow) -> RevisionRef | None:
        try:
            return self.program.source.chart_of(row.release)
        except HelmguardError:
            return None  # Whoever opens the release is told.

    def _charts_read(self, found: list[tuple[ReleaseRow, RevisionRef | None]]) -> None:
        releases = self.query_one(ReleaseList)
        for row, chart in found:
            row.chart, row.chart_read = chart, True
            releases.told_more(row)

    # Drift: of all releases that are in sight of the namespace filter.

    def action_drift(self) -> None:
        """Compare with what is live, or stop that."""
        if self.cancel_work("drift"):
            self.progress("")
            return
        self.progress("comparing the releases with what is live")
        by_key = {row.key: row for row in self.every}
        self.work(
            partial(self._compare, by_key), self._all_compared, group="drift", failed=self._not_compared
        )

    def _compare(self, rows: dict[str, ReleaseRow], report: Report) -> None:
        def told(text: str) -> None:
            report(text)
            self.show_if_wanted(self.progress, text)

        for found in self.program.source.drift_of_all(self.view.namespace or None, told):
            report("")
            drift = row_of(found)
            row = rows.get(f"{drift.namespace}/{drift.name}")
            if row is not None:
                self.show_if_wanted(self._drifted, row, drift)

    def _drifted(self, row: ReleaseRow, drift: DriftRow) -> None:
        row.drift = drift
        self.query_one(ReleaseList).told_more(row)
        if self._soon is None:
            self._soon = self.set_timer(_DRIFT_SHOWN_AFTER, self._show_drifted)

    def _show_drifted(self) -> None:
        self._soon = None
        self.show_releases()

    def _all_compared(self, _: None) -> None:
        self.progress("")
        self.show_releases()

    def _not_compared(self, error: HelmguardError) -> None:
        self.progress("")
        self.app.notify(escape_line(f"{error.message} {error.remedy}"), severity="error", markup=False)

    def progress(self, text: str) -> None:
        """One line above the footer; none without a text."""
        line = self.query_one("#progress", Static)
        line.set_class(bool(text), "-working")
        line.update(f"{escape_line(text)}  (esc cancels)" if text else "")
