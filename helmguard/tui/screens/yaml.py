"""The objects of a plan or comparison as YAML, side by side."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer

from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan
from helmguard.report.side_by_side import SideText, side_text
from helmguard.report.side_documents import (
    names_of,
    rows_of_documents,
    side_documents,
)
from helmguard.tui.screens.sides import SidesScreen
from helmguard.tui.widgets.side_by_side import SideBySide
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.title_bar import TitleBar
from helmguard.tui.work import Report


class YamlScreen(SidesScreen):
    """All objects of a plan or comparison on two sides, each under its name."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "other_sides", "Sides", tooltip="Live and after, or the two manifests"),
        Binding("c", "copy", "Copy"),
        Binding("escape", "back", "Back"),
        Binding("x", "reveal", "Reveal secrets", show=False),
        Binding("ctrl+r", "again", "Try again", show=False),
    ]

    def __init__(self, title: str, plan: Plan, masker: Masker) -> None:
        # Beside what is live there is one manifest: two equal ones would say nothing.
        super().__init__(plan, masker, "cluster" if plan.operation == "drift" else "manifests")
        self.title = title

    def compose(self) -> ComposeResult:
        """The two sides."""
        yield TitleBar()
        yield Stage(SideBySide(id="side-by-side"), id="stage")
        yield Footer()

    def on_mount(self) -> None:
        """Lay them out."""
        self.show_again()

    def show_again(self) -> None:
        """Everything anew."""
        pen, stage = self.pen(200), self.query_one(Stage)
        names = names_of(self.plan, self.sides)

        def task(report: Report) -> SideText:
            return side_text(rows_of_documents(side_documents(self.plan, self.sides), pen, report))

        def done(text: SideText) -> None:
            if not text.rows:
                stage.empty("There is no object on either side.")
                return
            stage.ready()
            view = self.query_one(SideBySide)
            view.show_text(text, names)
            view.side_list.focus()

        self.work(task, done, stage=stage, what="laying out the manifests", group="yaml")

    def action_again(self) -> None:
        """Once more."""
        self.show_again()

    def show_sides(self) -> None:
        """The other two."""
        self.show_again()

    def action_copy(self) -> None:
        """The right side, as it is shown."""
        name = names_of(self.plan, self.sides)[1]
        self.copy(self.query_one(SideBySide).right_text(), f"The right side ({name})")

    def action_back(self) -> None:
        """Leave."""
        self.cancel_work("yaml")
        self.app.pop_screen()
