"""A place for content that is read in the background: shows that it comes, that it failed, or itself."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from helmguard.errors import HelmguardError
from helmguard.report.escaping import escape_line, escape_text

Again = Callable[[], None]
_FIRST = 2
"""Screens there are where the first one is in front: Textual has an empty one below it."""


class Stage(Container):
    """Holds its content and, in front of it, what is to be said instead."""

    DEFAULT_CSS = """
    Stage { height: 1fr; width: 1fr; }
    Stage > .stage--words { height: 1fr; padding: 1 2; display: none; }
    Stage.-words > .stage--words { display: block; }
    Stage.-words > .stage--content { display: none; }
    Stage > .stage--content { height: 1fr; }
    """

    def __init__(self, content: Widget, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._content = content
        self._content.add_class("stage--content")
        self._words = Static(classes="stage--text")
        self._what = ""
        self._again: Again | None = None
        self.state = "content"

    @property
    def again(self) -> Again | None:
        """Starts the work that is going on, or failed, once more."""
        return self._again

    def compose(self) -> ComposeResult:
        """What is said, and the content."""
        with VerticalScroll(classes="stage--words", can_focus=False):
            yield self._words
        yield self._content

    def wait_for(self, what: str, again: Again | None = None) -> None:
        """``what`` is being done; ``again`` starts it once more."""
        self._what, self._again = what, again
        self._say("loading", Content.assemble((self._waiting(what), "dim")))

    def progress(self, text: str) -> None:
        """How far it is."""
        if self.state == "loading":
            is_more = bool(self._what) and text.casefold() not in ("", self._what.casefold())
            shown = f"{self._what}: {text}" if is_more else (self._what or text)
            self._say("loading", Content.assemble((self._waiting(escape_line(shown)), "dim")))

    def empty(self, text: str) -> None:
        """There is nothing, and ``text`` says why or what to do."""
        self._say("empty", Content.assemble((escape_text(text), "dim")))

    def failed(self, error: HelmguardError, again: Again | None) -> None:
        """An error in words, what to do about it, and how to try again."""
        self._again = again
        parts: list[str | tuple[str, str]] = [("Error: ", "bold $text-error"), escape_text(error.message)]
        if error.remedy:
            parts += ["\n\n", escape_text(error.remedy)]
        if again is not None:
            parts += ["\n\n", ("ctrl+r", "bold $text-primary"), (" tries again", "dim")]
            if len(self.app.screen_stack) > _FIRST:
                parts += [(", ", "dim"), ("esc", "bold $text-primary"), (" goes back", "dim")]
        self._say("error", Content.assemble(*parts))

    def ready(self) -> None:
        """Show the content."""
        self.state = "content"
        self.remove_class("-words")

    def _waiting(self, text: str) -> str:
        dots = "…" if getattr(self.app, "unicode", True) else "..."
        return f"{text[:1].upper()}{text[1:]}{dots}  (esc cancels)"

    def _say(self, state: str, text: Content) -> None:
        self.state = state
        self._words.update(text)
        self.add_class("-words")
