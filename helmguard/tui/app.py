"""The program: holds the source, the theme and the screens."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from helmguard.masking.masker import Masker
from helmguard.report.page import Page, Pen
from helmguard.tui.options import TuiOptions
from helmguard.tui.remembered import Memory
from helmguard.tui.sources.source import Source

DARK, LIGHT = "textual-dark", "textual-light"


class HelmguardApp(App[int]):
    """``unicode`` says whether more than ASCII can be shown."""

    TITLE = "helmguard"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "Quit"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("colon", "command_palette", "Commands", key_display=":", show=False),
        Binding("ctrl+t", "switch_theme", "Light/dark", show=False),
    ]

    def __init__(self, source: Source, options: TuiOptions | None = None) -> None:
        super().__init__()
        self.source = source
        self.options = options or TuiOptions()
        self.memory = Memory()
        self.unicode = self.options.unicode
        if not self.unicode:
            self.add_class("-ascii")

    def on_mount(self) -> None:
        """Show what was asked for."""
        from helmguard.tui.screens.first import first_screens

        if self.options.theme:
            self.theme = self.options.theme
        for screen in first_screens(self.options):
            self.push_screen(screen)

    def pen(self, masker: Masker, width: int, *, noise: bool = False) -> Pen:
        """Writes what comes from charts and clusters, for so many columns."""
        return Pen(Page(width=width, colour=True, unicode=self.unicode, show_noise=noise), masker)

    def action_leave(self) -> None:
        """End; a screen that must not be left has a binding of its own."""
        self.exit(0)

    def action_switch_theme(self) -> None:
        """From dark to light, or back."""
        self.theme = DARK if self.theme == LIGHT else LIGHT

    def action_help(self) -> None:
        """The keys of this screen."""
        self.action_show_help_panel()
