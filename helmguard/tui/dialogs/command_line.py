"""The command that does the same, to be read and selected where the clipboard cannot be reached."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea

from helmguard.report.styles import Span
from helmguard.tui.dialogs.frame import FRAME_CSS
from helmguard.tui.styled import content


class CommandLineDialog(ModalScreen[None]):
    """``commands`` are pairs of what it is for and the line, masked and escaped; the first one is copied."""

    DEFAULT_CSS = (
        FRAME_CSS.replace("DIALOG", "CommandLineDialog")
        + """
    CommandLineDialog TextArea { height: auto; min-height: 1; max-height: 6; margin-bottom: 1; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)", "Close"),
        Binding("c", "copy", "Copy"),
    ]

    def __init__(self, commands: list[tuple[str, str]], *, masked: bool) -> None:
        super().__init__()
        self._commands = commands
        self._masked = masked

    def compose(self) -> ComposeResult:
        """The commands, one below the other."""
        with Vertical(classes="dialog--box"):
            for what, command in self._commands:
                yield Static(content([(Span(what, "bold"),)]))
                yield TextArea(command, read_only=True, soft_wrap=True, compact=True, show_line_numbers=False)
            if self._masked:
                said = "Secrets are masked: fill them in where a mark stands; no shell takes the line before."
                yield Static(content([(Span(said, "warning"),)]))
            yield Static(content([(Span(self._keys(), "dim"),)]))

    def on_mount(self) -> None:
        """Into the clipboard at once, as the terminal allows."""
        self.action_copy()

    def action_copy(self) -> None:
        """The command under the cursor, else the first."""
        areas = list(self.query(TextArea))
        focused = next((area for area in areas if area.has_focus), areas[0])
        self.app.copy_to_clipboard(focused.text)

    def _keys(self) -> str:
        other = "; tab, then c copies the other" if len(self._commands) > 1 else ""
        return f"The first is sent to the terminal's clipboard (OSC 52){other}; esc closes"
