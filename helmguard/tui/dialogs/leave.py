"""Leaving while helm is at work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal, TypeAlias

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from helmguard.report.layout import wrapped
from helmguard.report.run_page import PhaseName, leave_words, stop_words
from helmguard.report.styles import EMPTY, Line, Span
from helmguard.tui.dialogs.frame import FRAME_CSS, WIDTH
from helmguard.tui.helm_at_work import HelmAtWork
from helmguard.tui.styled import content

Leaving: TypeAlias = Literal["stay", "stop", "leave"]

_TITLES: dict[PhaseName, str] = {
    "plan": "Helm has not been started yet",
    "helm": "Helm is at work",
    "verification": "The verification goes on",
}
_LABEL = 12
_SECONDS = 0.3


class LeaveDialog(ModalScreen[Leaving]):
    """Asks what becomes of the run; closes by itself, as ``stay``, once that has ended."""

    DEFAULT_CSS = FRAME_CSS.replace("DIALOG", "LeaveDialog")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "dismiss('stay')", "Stay"),
        Binding("s,ctrl+c", "dismiss('stop')", "Stop", priority=True),
        Binding("l", "dismiss('leave')", "Leave"),
    ]

    def __init__(self, work: HelmAtWork) -> None:
        super().__init__()
        self._run = work

    def compose(self) -> ComposeResult:
        """The three answers."""
        with Vertical(classes="dialog--box"):
            yield Static(id="answers")

    def on_mount(self) -> None:
        """What the answers do changes with the run."""
        self._show()
        self.set_interval(_SECONDS, self._show)

    def _show(self) -> None:
        if self._run.is_going:
            self.query_one("#answers", Static).update(content(self._lines()))
        elif self.is_current:
            self.dismiss("stay")

    def _lines(self) -> Iterator[Line]:
        run = self._run
        stop = stop_words(run.phase, is_rollback=run.is_rollback, asked=run.asked_to_stop)
        yield (Span(_TITLES[run.phase], "bold"),)
        yield EMPTY
        answers = (
            ("esc  stay", "watch it to its end"),
            ("s    stop", stop),
            ("l    leave", leave_words(run.phase)),
        )
        for answer, what in answers:
            head = [Span(answer.ljust(_LABEL), "bold"), Span(what)]
            yield from wrapped(head, WIDTH, _LABEL)
