"""The choice of a value mode in a form: the row under the cursor is the choice."""

from __future__ import annotations

from helmguard.planner.upgrade_values import MODE_FLAGS
from helmguard.report.styles import Span
from helmguard.tui.widgets.row_list import Row, RowList

_CHOICES = ("", *MODE_FLAGS)
_SAID = {
    "": "helm's own choice",
    "reset": "chart's defaults, values above",
    "reuse": "old values, old chart's defaults",
    "reset-then-reuse": "new defaults, old overrides",
}


class ModeChoice(RowList):
    """Its ``mode`` is a name of `MODE_FLAGS`, empty for helm's own choice."""

    DEFAULT_CSS = """
    ModeChoice { height: 4; overflow-x: hidden; overflow-y: hidden; }
    """

    def __init__(self, mode: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.mode = mode
        # The first layout starts from here, and comes later.
        self.set_reactive(RowList.cursor, _CHOICES.index(mode))

    def on_mount(self) -> None:
        """Show the choice."""
        self._show_choice()

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        """Moving chooses."""
        event.stop()
        if event.row.item != self.mode:
            self.mode = event.row.item
            self._show_choice()

    def _show_choice(self) -> None:
        self.show(lambda _: [_row(mode, mode == self.mode) for mode in _CHOICES])


def _row(mode: str, chosen: bool) -> Row:
    name = Span(mode.ljust(18) if mode else "not named".ljust(18), "bold" if chosen else "")
    return Row(((Span("(*) " if chosen else "( ) "), name, Span(_SAID[mode], "dim")),), mode, mode or "none")
