"""Going to a pane by its letter: ctrl+o shows the letters, one of them jumps there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

_LETTERS = "asdfghjklqwertyuiopzxcvbnm"


class JumpScreen(ModalScreen[Widget | None]):
    """A letter on each pane; answers the pane that was chosen."""

    DEFAULT_CSS = """
    JumpScreen { background: transparent; layers: letters; }
    JumpScreen > Static {
        layer: letters; width: 3; height: 1; position: absolute;
        background: $warning; color: $background; text-style: bold reverse;
    }
    JumpScreen:nocolor > Static { text-style: bold reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+o", "dismiss(None)", "Stay", show=False)]

    def __init__(self, panes: Sequence[Widget]) -> None:
        super().__init__()
        self._panes = dict(zip(_LETTERS, panes, strict=False))

    def compose(self) -> ComposeResult:
        """The letters, each at the upper left of its pane."""
        for letter, pane in self._panes.items():
            label = Static(f" {letter} ", markup=False)
            label.styles.offset = Offset(pane.region.x, pane.region.y)
            yield label

    def on_key(self, event: events.Key) -> None:
        """A letter goes there, any other key stays."""
        if event.key not in ("escape", "ctrl+o"):
            event.stop()
            self.dismiss(self._panes.get(event.key))

    def on_click(self, event: events.Click) -> None:
        """As any other key; on a letter, goes there."""
        for pane in self._panes.values():
            if pane.region.contains(int(event.screen_x), int(event.screen_y)):
                self.dismiss(pane)
                return
        self.dismiss(None)


def panes_of(screen: Screen[object]) -> list[Widget]:
    """What can have the focus and is seen, in the order of tab."""
    return [widget for widget in screen.focus_chain if widget.region.area]
