"""The values of two revisions side by side, whole."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer

from helmguard.masking.masker import Masker
from helmguard.model.helm_version import HelmVersion
from helmguard.model.release import Revision
from helmguard.planner.record import record_of
from helmguard.report.side_by_side import SideText, side_text
from helmguard.report.values_side_by_side import value_side_rows
from helmguard.tui.widgets.side_by_side import SideBySide
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.title_bar import TitleBar
from helmguard.tui.work import Report, WorkScreen
from helmguard.values.comparison import recorded_values


class ValuesScreen(WorkScreen[None]):
    """What the user supplied, and what came of it with the chart's defaults of then."""

    HELP = "All values of two revisions side by side, folded to what differs."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy", "Copy"),
        Binding("escape", "back", "Back"),
        Binding("ctrl+r", "reload", "Try again", show=False),
    ]

    def __init__(self, before: Revision, after: Revision, helm: HelmVersion, masker: Masker) -> None:
        super().__init__()
        self.title = f"values of {before.version} and {after.version}"
        self._before = before
        self._after = after
        self._helm = helm
        self._masker = masker

    def compose(self) -> ComposeResult:
        """The two sides."""
        yield TitleBar()
        yield Stage(SideBySide(id="side-by-side"), id="stage")
        yield Footer()

    def on_mount(self) -> None:
        """Lay them out."""
        self.action_reload()

    def action_reload(self) -> None:
        """Lay them out anew."""
        self.work(self._read, self._show, stage=self.query_one(Stage), what="computing the values")

    def _read(self, _: Report) -> SideText:
        pen = self.program.pen(self._masker, 200)
        before, after = (
            recorded_values(record_of(revision), self._helm) for revision in (self._before, self._after)
        )
        return side_text(list(value_side_rows(before, after, pen)))

    def _show(self, text: SideText) -> None:
        self.query_one(Stage).ready()
        view = self.query_one(SideBySide)
        view.show_text(text, (f"revision {self._before.version}", f"revision {self._after.version}"))
        view.side_list.focus()

    def action_copy(self) -> None:
        """The right side, as it is shown."""
        self.app.copy_to_clipboard(self.query_one(SideBySide).right_text())
        self.notify(f"The values of revision {self._after.version} are in the clipboard.", markup=False)

    def action_back(self) -> None:
        """Clear the search, else leave."""
        if not self.query_one(SideBySide).clear_search():
            self.cancel_work()
            self.app.pop_screen()
