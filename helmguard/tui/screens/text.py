"""A long text as a screen of its own: it scrolls, can be searched and copied."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer

from helmguard.report.styles import Line, to_text
from helmguard.tui.widgets.row_list import Row, RowList
from helmguard.tui.widgets.search_bar import SearchBar
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.title_bar import TitleBar
from helmguard.tui.work import Report, WorkScreen

TextLayout = Callable[[int], Iterable[Line]]
"""Makes the lines for a width in columns, masked and escaped."""


class TextScreen(WorkScreen[None]):
    """``read`` is called in the background, and may take seconds; ``what`` says what it does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", key_display="/"),
        Binding("n", "next_hit(1)", "Next hit"),
        Binding("N", "next_hit(-1)", "Previous hit", show=False),
        Binding("c", "copy", "Copy"),
        Binding("ctrl+r", "reload", "Read anew", show=False),
        Binding("escape", "back", "Back"),
    ]

    def __init__(self, title: str, read: Callable[[Report], TextLayout], what: str) -> None:
        super().__init__()
        self.title = title
        self._read = read
        self._what = what

    def compose(self) -> ComposeResult:
        """The text."""
        yield TitleBar()
        yield Stage(RowList(id="text"), id="stage")
        yield SearchBar("text", id="search")
        yield Footer()

    def on_mount(self) -> None:
        """Read it."""
        self.action_reload()

    def action_reload(self) -> None:
        """Read it anew."""
        self.work(self._read, self._show, stage=self.query_one(Stage), what=self._what)

    def _show(self, layout: TextLayout) -> None:
        text = self.query_one(RowList)
        self.query_one(Stage).ready()
        text.show(
            lambda width: [Row((line,), key=str(number)) for number, line in enumerate(layout(width))],
            first=True,
        )
        text.focus()

    def action_search(self) -> None:
        """Type what to search for."""
        self.query_one(SearchBar).open()

    def on_search_bar_changed(self, event: SearchBar.Changed) -> None:
        """Mark it, and go to the first."""
        text = self.query_one(RowList)
        text.needle = event.text
        found = text.next_hit(1) if event.text else True
        self.query_one(SearchBar).tell("" if found else "not found")

    def action_next_hit(self, step: int) -> None:
        """Around the end."""
        self.query_one(RowList).next_hit(step)

    def action_copy(self) -> None:
        """The whole text, as it is shown."""
        lines = [line for row in self.query_one(RowList).rows for line in row.lines]
        if lines:
            self.app.copy_to_clipboard(to_text(lines, colour=False))
            self.notify("The text is in the clipboard.")

    def action_back(self) -> None:
        """Clear the search, else leave."""
        if not self.query_one(SearchBar).clear():
            self.cancel_work()
            self.app.pop_screen()
