"""Accepting a finding for this run, with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from helmguard.errors import UsageError
from helmguard.execute.approval import read_acceptance
from helmguard.model.execution import Acceptance
from helmguard.model.finding import Finding
from helmguard.model.plan import Plan
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.styles import EMPTY, Line, Span, line
from helmguard.tui.dialogs.frame import FRAME_CSS, WIDTH
from helmguard.tui.styled import content
from helmguard.tui.widgets.trouble import Trouble

_MOST = 5


class WaiveDialog(ModalScreen[Acceptance | None]):
    """Asks for the reason; answers what ``--accept RULE=reason`` would say, None for no."""

    DEFAULT_CSS = FRAME_CSS.replace("DIALOG", "WaiveDialog")
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Cancel")]

    def __init__(self, plan: Plan, finding: Finding, pen: Pen) -> None:
        super().__init__()
        self._plan = plan
        self._finding = finding
        self._pen = pen

    def compose(self) -> ComposeResult:
        """What is accepted, and the field."""
        with Vertical(classes="dialog--box"):
            yield Static(content(self._lines()))
            yield Input(placeholder="the reason", id="reason")
            yield Trouble(id="trouble")
            keys = "enter accepts, esc goes back"
            yield Static(content([(Span(keys, "dim"),)]))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The reason is cleaned as on the command line."""
        try:
            acceptance = read_acceptance(f"{self._finding.rule}={event.value}")
        except UsageError:
            self.query_one(Trouble).say("A reason is wanted.")
            return
        self.dismiss(acceptance)

    def _lines(self) -> Iterator[Line]:
        pen, rule, plan = self._pen, self._finding.rule, self._plan
        same = [finding for finding in plan.findings if finding.rule == rule and finding.waived is None]
        yield (Span("Accept ", "bold"), pen.text(rule, "bold"), Span(" for this run?", "bold"))
        yield EMPTY
        for finding in same[:_MOST]:
            place = " ".join(part for part in (finding.where.name, finding.where.field) if part)
            text = [pen.text(f"{finding.severity.upper()} ", finding.severity), pen.text(place)]
            yield from wrapped([*text, Span("  "), pen.text(finding.title)], WIDTH, 2)
        if len(same) > _MOST:
            yield line(f"and {plural(len(same) - _MOST, 'more finding')} of this rule")
        yield EMPTY
        said = "It goes into the copied command, the release's description and the audit log."
        if any(finding.data_loss for finding in same):
            loss = f"It destroys data: applying will ask you to type {plan.release.name!r}, accepted or not."
            yield from wrapped([pen.text(loss, "danger")], WIDTH)
        yield from wrapped([Span(said, "dim")], WIDTH)
