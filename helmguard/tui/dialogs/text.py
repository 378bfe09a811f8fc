"""A text to be read, in a box of its own that scrolls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from helmguard.report.escaping import escape_line
from helmguard.report.styles import Line, Span
from helmguard.tui.styled import content
from helmguard.tui.widgets.row_list import Row, RowList

TextLayout = Callable[[int], Iterable[Line]]
"""Makes the lines for a width in columns."""


class TextDialog(ModalScreen[None]):
    """``layout`` writes what is masked and escaped already."""

    DEFAULT_CSS = """
    TextDialog { align: center middle; }
    TextDialog > Vertical {
        width: 90%; max-width: 110; min-width: 60; height: 90%;
        border: round $primary; background: $surface; padding: 0 1;
    }
    TextDialog Static { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark", "dismiss(None)", "Close", show=False),
        Binding("space", "page", "Page down", show=False),
    ]

    def __init__(self, title: str, layout: TextLayout) -> None:
        super().__init__()
        self._title = title
        self._layout = layout

    def compose(self) -> ComposeResult:
        """The text, and how to leave it."""
        with Vertical():
            yield Static(content([(Span(escape_line(self._title), "bold"),)]))
            yield RowList()
            yield Static(content([(Span("esc closes; j/k, pgup/pgdn, g/G move", "dim"),)]))

    def on_mount(self) -> None:
        """From its start."""
        text = self.query_one(RowList)
        text.show(lambda width: [Row((line,), selectable=False) for line in self._layout(width)], first=True)
        text.focus()

    def action_page(self) -> None:
        """As pagers do."""
        self.query_one(RowList).action_page(1)
