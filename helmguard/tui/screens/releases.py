"""All releases."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Footer, Static

from helmguard.cluster.concurrently import run_concurrently
from helmguard.errors import HelmguardError
from helmguard.masking.masker import Masker
from helmguard.model.release_state import RevisionRef
from helmguard.report.ages import unix_seconds
from helmguard.report.drift_rows import DriftRow, row_of
from helmguard.report.escaping import escape_line
from helmguard.report.release_lines import column_titles, list_summary, nothing_shown
from helmguard.report.release_rows import (
    SORTS,
    STATUS_FILTERS,
    ReleaseRow,
    ReleasesView,
    release_row,
    shown_releases,
)
from helmguard.tui.sources.source import ListedReleases, OpenRelease
from helmguard.tui.styled import content
from helmguard.tui.widgets.release_list import ReleaseList
from helmguard.tui.widgets.release_preview import ReleasePreview
from helmguard.tui.widgets.search_bar import SearchBar
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.title_bar import TitleBar
from helmguard.tui.work import Report, WorkScreen

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp

WIDE = 120
"""Columns from which on there is a preview."""
_CURSOR_RESTS = 0.3
_ROWS_AT_ONCE = 8
_PREVIEWS_KEPT = 50


class ReleasesScreen(WorkScreen[None]):
    """A row for each release."""

    DEFAULT_CSS = """
    ReleasesScreen > #summary { height: 1; padding: 0 2; }
    ReleasesScreen #titles { height: 1; padding: 0 2; }
    ReleasesScreen > #middle { height: 1fr; }
    ReleasesScreen #left { height: 1fr; width: 1fr; }
    ReleasesScreen #preview { display: none; width: 45%; border-left: solid $primary; }
    ReleasesScreen.-wide #preview { display: block; }
    ReleasesScreen > #progress { height: 1; padding: 0 2; display: none; color: $text-muted; }
    ReleasesScreen > #progress.-working { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Filter", key_display="/"),
        Binding("f", "next_status", "Status"),
        Binding("s", "next_sort", "Sort"),
        Binding("d", "drift", "Drift"),
        Binding("0", "all_namespaces", "All namespaces", show=False),
        Binding("N", "choose_namespace", "Namespace"),
        Binding("ctrl+r", "reload", "Read anew", show=False),
        Binding("escape", "give_up", "Cancel, clear the filter", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.title = "releases"
        self._every: list[ReleaseRow] = []
        self._left_out = ""
        self._now = ""
        self._view = ReleasesView()
        self._masker = Masker()
        self._opened: dict[tuple[str, int, int], OpenRelease] = {}
        self._cursor_timer: Timer | None = None
        self._filter_timer: Timer | None = None

    @property
    def helmguard(self) -> HelmguardApp:
        """The program, with its source."""
        return cast("HelmguardApp", self.app)

    def compose(self) -> ComposeResult:
        """Counts, the list, the preview."""
        yield TitleBar()
        yield Static(id="summary")
        with Horizontal(id="middle"):
            yield Stage(_ListWithTitles(), id="stage")
            yield Stage(ReleasePreview(), id="preview")
        yield Static(id="progress", markup=False)
        yield SearchBar("namespace/name: letters in their order", id="search")
        yield Footer()

    def on_mount(self) -> None:
        """Read the list, and show it as it was shown last."""
        memory = self.helmguard.memory
        self._view = memory.releases(self.helmguard.source.label)
        if self._view.search:
            self.query_one(SearchBar).set_text(self._view.search)
        if memory.trouble:
            self.notify(escape_line(memory.trouble), severity="warning", markup=False)
            memory.trouble = ""
        self.action_reload()

    def action_reload(self) -> None:
        """Read everything anew."""
        for group in ("drift", "charts", "preview"):
            self.cancel_work(group)
        self._opened.clear()
        self._progress("")
        self.work(
            self.helmguard.source.list_releases,
            self._listed,
            stage=self.query_one("#stage", Stage),
            what="listing the releases",
        )

    def _listed(self, found: ListedReleases) -> None:
        self._every = [release_row(release) for release in found.releases]
        self._left_out = found.left_out
        self._now = self.helmguard.now()
        self.helmguard.listed = found.releases
        self._show()

    def _show(self, *, first: bool = False) -> None:
        """What the filters let through."""
        releases = self.query_one(ReleaseList)
        shown = shown_releases(self._every, self._view)
        pen = self.helmguard.pen(self._masker, self.size.width)
        releases.show_releases(self._every, shown, unix_seconds(self._now), pen, first=first)
        self._show_summary(len(shown))
        stage = self.query_one("#stage", Stage)
        if shown:
            stage.ready()
            self.call_after_refresh(self._focus_list)
        else:
            stage.empty(nothing_shown(self._every, self._view, self._left_out, self.helmguard.source.label))

    def _focus_list(self) -> None:
        """Where nothing has the focus: the list was hidden until now."""
        if self.focused is None:
            self.query_one(ReleaseList).focus()

    def _show_summary(self, shown: int) -> None:
        pen = self.helmguard.pen(self._masker, self.size.width - 4)
        summary = list_summary(self._every, shown, self._view, self._left_out, pen)
        self.query_one("#summary", Static).update(content([summary]))
        self.query_one(SearchBar).tell(f"{shown} of {len(self._every)}")

    def _look(self, view: ReleasesView) -> None:
        """Show it otherwise, and remember that."""
        if view != self._view:
            first = (view.search, view.status, view.namespace) != (
                self._view.search,
                self._view.status,
                self._view.namespace,
            )
            self._view = view
            self.helmguard.memory.keep_releases(self.helmguard.source.label, view)
            if self._now:
                self._show(first=first)

    def on_release_list_laid_out(self) -> None:
        """Titles above their columns."""
        self._show_titles()

    def _show_titles(self) -> None:
        releases = self.query_one(ReleaseList)
        if releases.columns is not None:
            pen = self.helmguard.pen(self._masker, self.size.width)
            titles = column_titles(releases.columns, self._view.sort, pen)
            self.query_one("#titles", Static).update(content([titles]))

    def action_search(self) -> None:
        """Type what to search for."""
        self.query_one(SearchBar).open()

    def on_search_bar_changed(self, event: SearchBar.Changed) -> None:
        """Filter while one types."""
        self._look(replace(self._view, search=event.text))

    def action_next_status(self) -> None:
        """All, not deployed, pending, failed, drifted."""
        at = STATUS_FILTERS.index(self._view.status)
        self._look(replace(self._view, status=STATUS_FILTERS[(at + 1) % len(STATUS_FILTERS)]))

    def action_next_sort(self) -> None:
        """By namespace, name, status, time."""
        at = SORTS.index(self._view.sort)
        self._look(replace(self._view, sort=SORTS[(at + 1) % len(SORTS)]))
        self._show_titles()

    def action_all_namespaces(self) -> None:
        """Those of every namespace."""
        self._look(replace(self._view, namespace=""))

    def action_choose_namespace(self) -> None:
        """Those of one namespace."""
        from helmguard.tui.dialogs.namespace import NamespaceDialog

        names = [row.release.namespace for row in self._every]
        self.app.push_screen(NamespaceDialog(names, self._view.namespace), self._choose_namespace)

    def _choose_namespace(self, namespace: str | None) -> None:
        if namespace is not None:
            self._look(replace(self._view, namespace=namespace))

    def action_give_up(self) -> None:
        """Cancel what is going on, else clear the search."""
        if self.cancel_work("drift"):
            self._progress("")
        elif self.cancel_work():
            stage = self.query_one("#stage", Stage)
            stage.empty("The releases were not read.\n\nctrl+r reads them, q quits.")
        else:
            self.query_one(SearchBar).clear()

    def on_row_list_opened(self, event: ReleaseList.Opened) -> None:
        """Open the release."""
        from helmguard.tui.screens.release import ReleaseScreen

        if isinstance(event.row.item, ReleaseRow):
            release = event.row.item.release
            self.app.push_screen(ReleaseScreen(release.namespace, release.name))

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
            self.app.call_from_thread(self._charts_read, list(zip(some, found, strict=True)))

    def _chart_of(self, row: ReleaseRow) -> RevisionRef | None:
        try:
            return self.helmguard.source.chart_of(row.release)
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
            self._progress("")
            return
        self._progress("comparing the releases with what is live")
        by_key = {row.key: row for row in self._every}
        self.work(
            partial(self._compare, by_key), self._all_compared, group="drift", failed=self._not_compared
        )

    def _compare(self, rows: dict[str, ReleaseRow], report: Report) -> None:
        def told(text: str) -> None:
            report(text)
            self.app.call_from_thread(self._progress, text)

        for found in self.helmguard.source.drift_of_all(self._view.namespace or None, told):
            report("")
            drift = row_of(found)
            row = rows.get(f"{drift.namespace}/{drift.name}")
            if row is not None:
                self.app.call_from_thread(self._drifted, row, drift)

    def _drifted(self, row: ReleaseRow, drift: DriftRow) -> None:
        row.drift = drift
        self.query_one(ReleaseList).told_more(row)
        if self._filter_timer is None:
            self._filter_timer = self.set_timer(0.25, self._show_drifted)

    def _show_drifted(self) -> None:
        self._filter_timer = None
        self._show()

    def _all_compared(self, _: None) -> None:
        self._progress("")
        self._show()

    def _not_compared(self, error: HelmguardError) -> None:
        self._progress("")
        self.app.notify(escape_line(f"{error.message} {error.remedy}"), severity="error", markup=False)

    def _progress(self, text: str) -> None:
        """One line above the footer; none without a text."""
        line = self.query_one("#progress", Static)
        line.set_class(bool(text), "-working")
        line.update(f"{escape_line(text)}  (esc cancels)" if text else "")

    # Preview: of the release on which the cursor rests.

    def on_resize(self, event: events.Resize) -> None:
        """A preview where there is room."""
        self.set_class(event.size.width >= WIDE, "-wide")
        if self._now:
            self._show_summary(len(self.query_one(ReleaseList).rows))

    def on_row_list_highlighted(self, event: ReleaseList.Highlighted) -> None:
        """Wait until the cursor rests."""
        if not isinstance(event.row.item, ReleaseRow):
            return
        self.cancel_work("preview")
        if self._cursor_timer is not None:
            self._cursor_timer.stop()
        self._cursor_timer = self.set_timer(_CURSOR_RESTS, self._preview)

    def _preview(self) -> None:
        row = self.query_one(ReleaseList).release
        if row is None or not self.has_class("-wide"):
            return
        release, key = row.release, (row.key, row.release.version, row.release.changed)
        if key in self._opened:
            self._show_preview(self._opened[key])
            return

        def opened(found: OpenRelease) -> None:
            self._opened[key] = found
            while len(self._opened) > _PREVIEWS_KEPT:
                del self._opened[next(iter(self._opened))]
            self._show_preview(found)

        self.work(
            lambda report: self.helmguard.source.open_release(release.namespace, release.name, report),
            opened,
            stage=self.query_one("#preview", Stage),
            what="reading the revisions",
            group="preview",
        )

    def _show_preview(self, opened: OpenRelease) -> None:
        self.query_one("#preview", Stage).ready()
        self.query_one(ReleasePreview).show(opened, self._now)


class _ListWithTitles(Vertical):
    """The list under its titles."""

    def compose(self) -> ComposeResult:
        """Two parts."""
        yield Static(id="titles")
        yield ReleaseList(id="releases")
