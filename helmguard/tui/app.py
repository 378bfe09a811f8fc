"""The program: holds the source, the theme and the screens."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.filter import LineFilter, Monochrome, NoColor
from textual.widget import Widget

from helmguard.cluster.release_list import ListedRelease
from helmguard.masking.masker import Masker
from helmguard.planner.clock import clock_time
from helmguard.report.page import Page, Pen
from helmguard.tui.ascii_only import AsciiOnly
from helmguard.tui.commands import ReleaseCommands, ScreenCommands, ThemeCommands
from helmguard.tui.dialogs.help import help_dialog
from helmguard.tui.ending import EndingApp
from helmguard.tui.interpreter import QuickInterpreter
from helmguard.tui.jump import JumpScreen, panes_of
from helmguard.tui.options import TuiOptions
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.remembered import Memory
from helmguard.tui.sources.source import Source
from helmguard.tui.themes import first_theme, next_theme, readable_words
from helmguard.tui.typed_ahead import TypedAheadApp


class HelmguardApp(TypedAheadApp, EndingApp):
    """``unicode`` says whether more than ASCII can be shown; ``clock`` tells the time, for ages.

    ``listed`` are the releases that were listed last, for the command palette; ``last_forms`` is what was
    planned last of a release, by namespace and name.

    Raises:
        UsageError: there is no theme of the name asked for.
    """

    TITLE = "helmguard"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[Any]] = {ScreenCommands, ReleaseCommands, ThemeCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-cramped"), (100, "-roomy")]  # noqa: RUF012 - as it is declared there
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "Quit"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("ctrl+p", "command_palette", "palette", key_display="^p", show=False, priority=True),
        Binding("colon", "command_palette", "palette", key_display=":", show=False),
        Binding("ctrl+o", "jump", "Jump to a pane by its letter", show=False),
        Binding("z", "zoom", "Zoom the pane, or back", show=False),
        Binding("ctrl+t", "switch_theme", "Light, dark, the terminal's colours", show=False),
    ]

    def __init__(
        self, source: Source, options: TuiOptions | None = None, *, clock: Callable[[], str] = clock_time
    ) -> None:
        super().__init__()
        self.source = source
        self.options = options or TuiOptions()
        self.memory = Memory()
        self.unicode = self.options.unicode
        self.now = clock
        self.listed: Sequence[ListedRelease] = ()
        self._interpreter = QuickInterpreter()
        self.last_forms: dict[tuple[str, str], PlanForm] = {}
        self._line_filters: list[LineFilter] = [NoColor()] if self.no_color else []
        if not self.unicode:
            self.add_class("-ascii")
            self._line_filters.append(AsciiOnly())
        self.theme = first_theme(self.options.theme, self.memory.theme, self.available_themes, os.environ)

    def on_mount(self) -> None:
        """Show what was asked for."""
        from helmguard.tui.screens.first import first_screens

        self._interpreter.begin()
        self.set_interval(self._interpreter.look_seconds, self._interpreter.look)
        for screen in first_screens(self.source, self.options):
            self.push_screen(screen)

    def on_unmount(self) -> None:
        """As Python was before."""
        self._interpreter.end()

    async def on_event(self, event: events.Event) -> None:
        """Note that somebody is there."""
        if isinstance(event, events.InputEvent):
            self._interpreter.touched()
        await super().on_event(event)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Every line passes these; ``NO_COLOR`` means none, where Textual by itself takes greys."""
        filters = [each for each in super().get_line_filters() if not isinstance(each, Monochrome)]
        return [*filters, *self._line_filters]

    def get_css_variables(self) -> dict[str, str]:
        """The theme's, with words that can be read everywhere."""
        self.theme_variables = {**super().get_css_variables(), **readable_words(self.theme)}
        return self.theme_variables

    def get_key_display(self, binding: Binding) -> str:
        """Keys by their names: an arrow is no sign that every terminal has."""
        if binding.key_display or binding.key not in _KEY_NAMES:
            return super().get_key_display(binding)
        return _KEY_NAMES[binding.key]

    def pen(self, masker: Masker, width: int, *, noise: bool = False) -> Pen:
        """Writes what comes from charts and clusters, for so many columns."""
        return Pen(Page(width=width, colour=True, unicode=self.unicode, show_noise=noise), masker)

    def action_switch_theme(self) -> None:
        """From dark to light, to the terminal's own colours, and back."""
        self.take_theme(next_theme(self.theme))

    def take_theme(self, theme: str) -> None:
        """Show it, and start with it the next time."""
        self.theme = theme
        self.memory.keep_theme(theme)

    def open_release(self, namespace: str, name: str) -> None:
        """In front of what is shown."""
        from helmguard.tui.screens.release import ReleaseScreen

        self.push_screen(ReleaseScreen(namespace, name))

    def action_help_quit(self) -> None:
        """Ctrl+c where nothing is to be stopped: nobody shall lose a screen by habit."""
        self.notify("q quits, esc goes back.", title="Nothing to stop here", markup=False)

    def action_help(self) -> None:
        """The keys of this screen."""
        self.push_screen(help_dialog(self.screen))

    def action_jump(self) -> None:
        """To a pane by its letter."""
        screen = self.screen
        panes = panes_of(screen)

        def go(pane: Widget | None) -> None:
            if pane is not None:
                screen.set_focus(pane)

        if len(panes) > 1:
            self.push_screen(JumpScreen(panes), go)

    def action_zoom(self) -> None:
        """The pane with the focus alone, or all of them again."""
        screen = self.screen
        if screen.maximized is not None:
            screen.minimize()
        elif screen.focused is not None:
            screen.maximize(screen.focused)


_KEY_NAMES = {"enter": "enter", "up": "up", "down": "down", "left": "left", "right": "right"}
