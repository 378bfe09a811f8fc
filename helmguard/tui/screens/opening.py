"""A bundle is read, and its plan is what is shown first."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widgets import Footer

from helmguard.tui.plan_form import PlanForm
from helmguard.tui.screens.plan import PlanScreen
from helmguard.tui.screens.release import ReleaseScreen
from helmguard.tui.sources.bundle import BundleSource
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.work import WorkScreen


class OpeningScreen(WorkScreen[None]):
    """Gives way to the release and, in front of it, the plan that the bundle was made for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back"),
        Binding("ctrl+r", "again", "Try again", show=False),
    ]

    def __init__(self, source: BundleSource) -> None:
        super().__init__()
        self._source = source

    def compose(self) -> ComposeResult:
        """Nothing but what is being done."""
        yield Stage(Container(), id="stage")
        yield Footer()

    def on_mount(self) -> None:
        """Read it."""
        self.work(self._source.own_form, self._open, stage=self.query_one(Stage), what="opening the bundle")

    def action_again(self) -> None:
        """After an error."""
        again = self.query_one(Stage).again
        if again is not None:
            again()

    def _open(self, form: PlanForm) -> None:
        self.app.switch_screen(ReleaseScreen(form.namespace, form.release))
        self.app.push_screen(PlanScreen(form))
