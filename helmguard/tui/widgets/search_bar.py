"""The line in which one types what to search or filter for."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Label

from helmguard.report.escaping import escape_line


class _TypedLine(Input):
    """Up and down leave it as enter does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down,up", "submit", "To the list", key_display="enter")
    ]


class SearchBar(Horizontal):
    """Not seen until `open` is called; stays in sight while something is searched for.

    A screen puts it between its content and the footer, binds ``/`` to `open`, answers `Changed`, and lets
    its own ``esc`` call `clear` before it goes back. Enter keeps what was typed and returns to where the
    focus was; esc in the line clears it.
    """

    DEFAULT_CSS = """
    SearchBar { height: 1; display: none; background: $panel; }
    SearchBar.-open, SearchBar.-kept { display: block; }
    SearchBar > Label { width: auto; padding: 0 0 0 1; color: $text-primary; text-style: bold; }
    SearchBar > Label.search-bar--told { color: $text-muted; text-style: none; padding: 0 1; }
    SearchBar > Input { width: 1fr; border: none; height: 1; padding: 0; background: $panel; }
    SearchBar > Input:focus { border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "Clear"),
    ]

    class Changed(Message):
        """Something else is searched for; empty for nothing."""

        def __init__(self, search_bar: SearchBar, text: str) -> None:
            super().__init__()
            self.search_bar = search_bar
            self.text = text

        @property
        def control(self) -> SearchBar:
            return self.search_bar

    class Kept(Changed):
        """Enter was pressed: the list has the focus again."""

    def __init__(self, placeholder: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._placeholder = placeholder
        self._before: Widget | None = None

    def compose(self) -> ComposeResult:
        """A sign, the line, and how much was found."""
        yield Label("/", markup=False)
        yield _TypedLine(placeholder=self._placeholder, select_on_focus=False)
        yield Label("", classes="search-bar--told", markup=False)

    @property
    def text(self) -> str:
        """What is searched for, empty for nothing."""
        return self.query_one(Input).value

    def open(self) -> None:
        """Let the user type."""
        focused = self.screen.focused
        if focused is not None and focused is not self.query_one(Input):
            self._before = focused
        self.add_class("-open")
        line = self.query_one(Input)
        line.can_focus = True
        line.cursor_position = len(line.value)
        line.focus()

    def set_text(self, text: str) -> None:
        """Search for what is remembered, without typing."""
        self.query_one(Input).value = text
        self._show_kept()

    def tell(self, words: str) -> None:
        """How much was found (``12 of 214``)."""
        self.query_one(".search-bar--told", Label).update(escape_line(words))

    def clear(self) -> bool:
        """Search for nothing any more; False where nothing was searched for."""
        was_seen = bool(self.text) or self.has_class("-open")
        self.query_one(Input).value = ""
        self._close()
        return was_seen

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search while one types."""
        event.stop()
        self.post_message(self.Changed(self, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep it."""
        event.stop()
        self._close()
        self.post_message(self.Kept(self, event.value))

    def action_give_up(self) -> None:
        """Clear it, and go back to the list."""
        self.clear()

    def _close(self) -> None:
        self.remove_class("-open")
        self._show_kept()
        if self.query_one(Input).has_focus and self._before is not None and self._before.is_attached:
            self._before.focus()

    def _show_kept(self) -> None:
        self.set_class(bool(self.text), "-kept")
        self.query_one(Input).can_focus = self.has_class("-open") or bool(self.text)
