"""Something failed that no place on the screen was waiting for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from helmguard.errors import HelmguardError
from helmguard.report.escaping import escape_text
from helmguard.report.layout import wrapped
from helmguard.report.styles import EMPTY, Line, Span, line
from helmguard.tui.dialogs.frame import FRAME_CSS, WIDTH
from helmguard.tui.styled import content


class ErrorDialog(ModalScreen[bool]):
    """What happened and what to do, in words; answers whether to try again."""

    DEFAULT_CSS = (
        FRAME_CSS.replace("DIALOG", "ErrorDialog").replace("round $primary", "round $error")
        + """
    ErrorDialog VerticalScroll { height: auto; max-height: 14; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "dismiss(False)", "Close", show=False),
        Binding("ctrl+r", "dismiss(True)", "Try again", show=False),
    ]

    def __init__(self, error: HelmguardError) -> None:
        super().__init__()
        self._error = error

    def compose(self) -> ComposeResult:
        """The error and its remedy."""
        with Vertical(classes="dialog--box"):
            with VerticalScroll(can_focus=True):
                yield Static(content(self._lines()))
            yield Static(content([EMPTY, line(Span("ctrl+r tries again, esc closes", "dim"))]))

    def _lines(self) -> Iterator[Line]:
        message, *more = escape_text(self._error.message).split("\n")
        yield from wrapped([Span("Error: ", "bad"), Span(message)], WIDTH)
        for text in more:
            yield from wrapped([Span(text)], WIDTH)
        if self._error.remedy:
            yield EMPTY
            for text in escape_text(self._error.remedy).split("\n"):
                yield from wrapped([Span(text)], WIDTH)
