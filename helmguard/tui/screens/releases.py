"""All releases."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Footer, Static

from helmguard.masking.masker import Masker
from helmguard.report.ages import unix_seconds
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
from helmguard.tui.screens.release_reading import ReleaseReading
from helmguard.tui.sources.source import ListedReleases, OpenRelease
from helmguard.tui.styled import content
from helmguard.tui.widgets.release_list import ReleaseList
from helmguard.tui.widgets.release_preview import ReleasePreview
from helmguard.tui.widgets.search_bar import SearchBar
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.title_bar import TitleBar

WIDE = 120
"""Columns from which on there is a preview."""
_CURSOR_RESTS = 0.3
_TYPING_RESTS = 0.5
_PREVIEWS_KEPT = 50
_AGES_SECONDS = 30


class ReleasesScreen(ReleaseReading):
    """A row for each release."""

    DEFAULT_CSS = """
    ReleasesScreen > #summary { height: 1; padding: 0 2; }
    ReleasesScreen #titles { height: 1; padding: 0 2; }
    ReleasesScreen > #middle { height: 1fr; }
    ReleasesScreen #left { height: 1fr; width: 1fr; }
    ReleasesScreen #preview { display: none; width: 40%; border-left: solid $primary; }
    ReleasesScreen.-wide #preview { display: block; }
    ReleasesScreen > #progress { height: 1; padding: 0 2; display: none; color: $text-muted; }
    ReleasesScreen > #progress.-working { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash", "search", "Filter", key_display="/", tooltip="Filter by namespace/name: letters in order"
        ),
        Binding("f", "next_status", "Status", tooltip="All, not deployed, pending, failed, drifted"),
        Binding("s", "next_sort", "Sort", tooltip="By namespace, name, status, time"),
        Binding(
            "d",
            "drift",
            "Drift",
            tooltip="Compare them all with what is live: ~2 objects differ, ? not all known",
        ),
        Binding("0", "all_namespaces", "All namespaces", show=False, tooltip="Those of all namespaces"),
        Binding("N", "choose_namespace", "Namespace", tooltip="Those of one namespace"),
        Binding("ctrl+r", "reload", "Read anew", show=False, tooltip="Read the list anew"),
        Binding(
            "escape",
            "give_up",
            "Cancel, clear",
            show=False,
            tooltip="Cancel what goes on, else clear the filter",
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.title = "releases"
        self._left_out = ""
        self._now = ""
        self._masker = Masker()
        self._opened: dict[tuple[str, int, int], OpenRelease] = {}
        self._cursor_timer: Timer | None = None
        self._remembering: Timer | None = None
        self.is_stale = False
        """Helm ran since the list was read."""

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
        memory = self.program.memory
        self.view = memory.releases(self.program.source.label)
        if self.view.status == "drifted":
            self.view = replace(self.view, status="all")  # Nothing is known of drift yet.
        if self.view.search:
            self.query_one(SearchBar).set_text(self.view.search)
        self._tell_trouble()
        self.set_interval(_AGES_SECONDS, self._tell_ages)
        self.action_reload()

    def on_screen_resume(self) -> None:
        """Back from a release: time went by, and maybe helm ran."""
        if self.is_stale:
            self.is_stale = False
            self.action_reload()
        else:
            self._tell_ages()

    def _tell_ages(self) -> None:
        """How long ago, as of now."""
        now = self.program.now()
        if self._now and self.is_current and now != self._now:
            self._now = now
            self.show_releases()

    def on_unmount(self) -> None:
        """What was looked at last is remembered."""
        self.program.memory.keep_releases(self.program.source.label, self.view)

    def _remember_soon(self) -> None:
        """Once nothing is typed any more."""
        if self._remembering is not None:
            self._remembering.stop()
        self._remembering = self.set_timer(_TYPING_RESTS, self._remember)

    def _remember(self) -> None:
        self.program.memory.keep_releases(self.program.source.label, self.view)
        self._tell_trouble()

    def _tell_trouble(self) -> None:
        memory = self.program.memory
        if memory.trouble:
            self.notify(escape_line(memory.trouble), severity="warning", markup=False)
            memory.trouble = ""

    def action_reload(self) -> None:
        """Read everything anew."""
        for group in ("drift", "charts", "preview"):
            self.cancel_work(group)
        self._opened.clear()
        self.progress("")
        self.work(
            self.program.source.list_releases,
            self._listed,
            stage=self.query_one("#stage", Stage),
            what="listing the releases",
        )

    def _listed(self, found: ListedReleases) -> None:
        self.every = [release_row(release) for release in found.releases]
        self._left_out = found.left_out
        self._now = self.program.now()
        self.program.listed = found.releases
        self.query_one("#stage", Stage).ready()
        self.show_releases()

    def show_releases(self, *, first: bool = False) -> None:
        """What the filters let through."""
        releases = self.query_one(ReleaseList)
        shown = shown_releases(self.every, self.view)
        pen = self.program.pen(self._masker, self.size.width)
        releases.show_releases(self.every, shown, unix_seconds(self._now), pen, first=first)
        self._show_summary(len(shown))
        stage = self.query_one("#stage", Stage)
        if stage.state in ("loading", "error"):
            return  # What was read before is no answer to what was asked since.
        if shown:
            stage.ready()
            self.call_after_refresh(self._focus_list)
        else:
            stage.empty(nothing_shown(self.every, self.view, self._left_out, self.program.source.label))

    def _focus_list(self) -> None:
        """Where nothing has the focus: the list was hidden until now."""
        if self.focused is None:
            self.query_one(ReleaseList).focus()

    def _show_summary(self, shown: int) -> None:
        pen = self.program.pen(self._masker, self.size.width - 4)
        summary = list_summary(self.every, shown, self.view, self._left_out, pen)
        self.query_one("#summary", Static).update(content([summary]))
        self.query_one(SearchBar).tell(f"{shown} of {len(self.every)}")

    def _look(self, view: ReleasesView) -> None:
        """Show it otherwise, and remember that."""
        if view != self.view:
            first = (view.search, view.status, view.namespace) != (
                self.view.search,
                self.view.status,
                self.view.namespace,
            )
            self.view = view
            self._remember_soon()
            if self._now:
                self.show_releases(first=first)

    def on_release_list_laid_out(self) -> None:
        """Titles above their columns."""
        self._show_titles()

    def _show_titles(self) -> None:
        releases = self.query_one(ReleaseList)
        if releases.columns is not None:
            pen = self.program.pen(self._masker, self.size.width)
            titles = column_titles(releases.columns, self.view.sort, pen)
            self.query_one("#titles", Static).update(content([titles]))

    def action_search(self) -> None:
        """Type what to search for."""
        self.query_one(SearchBar).open()

    def on_search_bar_changed(self, event: SearchBar.Changed) -> None:
        """Filter while one types."""
        self._look(replace(self.view, search=event.text))

    def action_next_status(self) -> None:
        """All, not deployed, pending, failed, drifted."""
        at = STATUS_FILTERS.index(self.view.status)
        self._look(replace(self.view, status=STATUS_FILTERS[(at + 1) % len(STATUS_FILTERS)]))

    def action_next_sort(self) -> None:
        """By namespace, name, status, time."""
        at = SORTS.index(self.view.sort)
        self._look(replace(self.view, sort=SORTS[(at + 1) % len(SORTS)]))
        self._show_titles()

    def action_all_namespaces(self) -> None:
        """Those of every namespace."""
        self._look(replace(self.view, namespace=""))

    def action_choose_namespace(self) -> None:
        """Those of one namespace."""
        from helmguard.tui.dialogs.namespace import NamespaceDialog

        names = [row.release.namespace for row in self.every]
        self.app.push_screen(NamespaceDialog(names, self.view.namespace), self._choose_namespace)

    def _choose_namespace(self, namespace: str | None) -> None:
        if namespace is not None:
            self._look(replace(self.view, namespace=namespace))

    def action_give_up(self) -> None:
        """Cancel what is going on, else clear the search."""
        if self.cancel_work("drift"):
            self.progress("")
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
            lambda report: self.program.source.open_release(release.namespace, release.name, report),
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
