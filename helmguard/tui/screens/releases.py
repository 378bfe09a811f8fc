"""All releases."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Footer

from helmguard.report.styles import line
from helmguard.tui.sources.source import ListedReleases
from helmguard.tui.widgets.row_list import Row, RowList
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.work import WorkScreen


class ReleasesScreen(WorkScreen[None]):
    """A row for each release."""

    def compose(self) -> ComposeResult:
        """The list."""
        yield Stage(RowList(id="releases"), id="stage")
        yield Footer()

    def on_mount(self) -> None:
        """Read it."""
        self.work(
            self.app.source.list_releases,  # type: ignore[attr-defined]
            self._show,
            stage=self.query_one(Stage),
            what="listing the releases",
        )

    def _show(self, found: ListedReleases) -> None:
        rows = [
            Row((line(f"{release.namespace} {release.name} {release.status}"),), release, release.name)
            for release in found.releases
        ]
        self.query_one(RowList).show(lambda _: rows)
        self.query_one(Stage).ready()
