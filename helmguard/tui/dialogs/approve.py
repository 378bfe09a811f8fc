"""The last question before helm is let run: the same as the command line asks, with the same answers."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import ClassVar

import msgspec
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from helmguard.errors import HelmguardError
from helmguard.execute.approval import Question
from helmguard.execute.gate import Stop
from helmguard.execute.helm_words import helm_words
from helmguard.execute.operation import Operation
from helmguard.masking.masker import Masker
from helmguard.model.plan_difference import PlanDifference
from helmguard.report.approval_page import approval_lines, refused_lines
from helmguard.report.escaping import escape_text
from helmguard.report.layout import wrapped
from helmguard.report.missing_rights import missing_rights_lines
from helmguard.report.page import Pen
from helmguard.report.stale_page import stale_lines
from helmguard.report.styles import EMPTY, Line, Span
from helmguard.tui.dialogs.frame import FRAME_CSS
from helmguard.tui.helm_at_work import HelmAtWork
from helmguard.tui.sources.source import Planned
from helmguard.tui.styled import content
from helmguard.tui.widgets.trouble import Trouble
from helmguard.tui.work import Report, WorkScreen

_WIDEST = 100
_MARGIN = 8
_HOW = "Nothing was changed. To go on all the same, accept each with a reason: w on the plan."


class _Asked(msgspec.Struct, frozen=True):
    """What the gate said: ``stop``, or the question and the command that helm gets."""

    work: HelmAtWork
    stop: Stop | None
    question: Question
    command: str = ""


class ApproveDialog(ModalScreen[bool], WorkScreen[bool]):
    """True where the user typed what was asked for. Where the gate refuses, it says so and asks nothing.

    ``stale`` is what no longer holds of a saved plan.
    """

    DEFAULT_CSS = (
        FRAME_CSS.replace("DIALOG", "ApproveDialog")
        + """
    ApproveDialog > .dialog--box { width: 106; }
    ApproveDialog #about { height: auto; max-height: 70vh; }
    ApproveDialog .approve--static { height: auto; }
    ApproveDialog #question { margin-top: 1; }
    ApproveDialog.-asks Input { display: block; }
    ApproveDialog Input { display: none; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "refuse", "No", priority=True),
        Binding("down,pagedown", "scroll_about(1)", "Further", show=False),
        Binding("up,pageup", "scroll_about(-1)", "Back", show=False),
    ]

    def __init__(self, planned: Planned, stale: Sequence[PlanDifference] = ()) -> None:
        super().__init__()
        self._planned = planned
        self._stale = tuple(stale)
        self._masker = Masker.for_plan(planned.plan)
        self._asked: _Asked | None = None
        self._error: HelmguardError | None = None

    def compose(self) -> ComposeResult:
        """What is approved, the question, the field."""
        with Vertical(classes="dialog--box"):
            with VerticalScroll(id="about", can_focus=False):
                yield Static(id="lines", classes="approve--static")
            yield Static(id="question", classes="approve--static")
            yield Input(id="answer")
            yield Trouble(id="trouble")
            yield Static(id="keys", classes="approve--static")

    def on_mount(self) -> None:
        """Ask the gate, which may ask the cluster."""
        self._lay_out()
        self.work(self._ask_gate, self._show, failed=self._fail)

    def on_resize(self, _: events.Resize) -> None:
        """Another width, other lines."""
        self._lay_out()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Nothing but the very answer counts."""
        if self._asked is None or self._asked.stop is not None:
            return
        if event.value.strip() == self._asked.question.answer:
            self.dismiss(True)
            return
        self.query_one(Trouble).say("That is not the answer; nothing was changed.")
        event.input.value = ""

    def action_refuse(self) -> None:
        """No; recorded where there is an audit log, unless the gate had refused already."""
        asked = self._asked
        if asked is None or asked.stop is not None:
            self.dismiss(False)
            return
        self.work(lambda _: asked.work.declined(), lambda _: self._left(), failed=self._not_recorded)

    def action_scroll_about(self, direction: int) -> None:
        """What is approved may be longer than the terminal is high."""
        about = self.query_one("#about", VerticalScroll)
        about.scroll_relative(y=direction * max(1, about.size.height - 1), animate=False)

    def _left(self) -> None:
        self.app.notify("Not confirmed; nothing was changed.")
        self.dismiss(False)

    def _not_recorded(self, error: HelmguardError) -> None:
        self.app.notify(escape_text(error.message), severity="error", markup=False)
        self.dismiss(False)

    def _ask_gate(self, _: Report) -> _Asked:
        work = HelmAtWork(self.program.options, self._planned)
        stop = work.stopped(self._stale)
        if stop is not None:
            return _Asked(work, stop, work.question())
        operation = self._planned.operation
        assert operation is not None
        return _Asked(work, None, work.question(), _command(operation, self._planned.form.chart))

    def _show(self, asked: _Asked) -> None:
        self._asked = asked
        self._lay_out()
        if asked.stop is None:
            self.add_class("-asks")
            self.query_one(Input).focus()

    def _fail(self, error: HelmguardError) -> None:
        self._error = error
        self._lay_out()

    def _lay_out(self) -> None:
        width = min(_WIDEST, self.app.size.width - _MARGIN)
        pen = self.program.pen(self._masker, width)
        self.query_one("#lines", Static).update(content(self._lines(pen)))
        self.query_one("#question", Static).update(content(self._question_lines(pen)))
        self.query_one("#keys", Static).update(content([(Span(self._keys(), "dim"),)]))

    @property
    def has_spoken(self) -> bool:
        """Whether the gate has: the question stands there, or why there is none."""
        return self._asked is not None or self._error is not None

    @property
    def _may_ask(self) -> bool:
        return self._asked is not None and self._asked.stop is None

    def _keys(self) -> str:
        return "enter answers, esc goes back: nothing is changed" if self._may_ask else "esc goes back"

    def _lines(self, pen: Pen) -> Iterator[Line]:
        plan, operation, asked = self._planned.plan, self._planned.operation, self._asked
        if self._error is not None:
            yield from wrapped([pen.prose(self._error.message, "bad")], pen.page.columns)
            yield from wrapped([pen.prose(self._error.remedy)], pen.page.columns)
        elif asked is None:
            yield (Span(f"Asking the gate and the cluster{pen.symbols.ellipsis}", "dim"),)
        elif asked.stop is not None:
            yield from stop_lines(asked.stop, self._planned, pen, goes_on=True)
        elif operation is not None:
            connection = operation.session.connection
            cluster = (connection.context, connection.server)
            why = asked.question.why
            yield from approval_lines(plan, asked.command, cluster, operation.acceptances, why, pen)

    def _question_lines(self, pen: Pen) -> Iterator[Line]:
        if self._asked is not None and self._asked.stop is None:
            yield from wrapped([pen.text(self._asked.question.text, "bold")], pen.page.columns)


def stop_lines(stop: Stop, planned: Planned, pen: Pen, *, goes_on: bool = False) -> Iterator[Line]:
    """Why helm is not let run; ``goes_on``: without an exit code."""
    if stop.stale:
        yield from stale_lines(stop.stale, pen, goes_on=goes_on)
    elif stop.missing:
        yield from missing_rights_lines(stop.missing, pen, goes_on=goes_on)
    else:
        yield EMPTY
        yield from refused_lines(planned.plan, pen, _HOW)


def _command(operation: Operation, chart: str) -> str:
    """As helm gets it; the chart by the name that the user knows, not by that of the frozen copy."""
    words, _ = helm_words(operation)
    frozen = operation.request.frozen
    if frozen is not None and chart:
        words = [chart if word == str(frozen.chart) else word for word in words]
    return shlex.join(["helm", *words])
