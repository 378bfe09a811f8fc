"""What the screens of a plan's objects share: two sides, and secrets that may be revealed."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan
from helmguard.report.page import Pen
from helmguard.report.side_documents import (
    Sides,
)
from helmguard.tui.work import WorkScreen


class SidesScreen(WorkScreen[None]):
    """A screen of a plan's objects, which can be seen on two sides, their secrets revealed where allowed."""

    def __init__(self, plan: Plan, masker: Masker, sides: Sides) -> None:
        super().__init__()
        self.plan = plan
        self._given = masker
        self.masker = masker
        self.sides = sides

    def pen(self, width: int) -> Pen:
        """Writes what comes from charts and clusters."""
        return self.program.pen(self.masker, width)

    def action_reveal(self) -> None:
        """Show secrets, or mask them again."""
        if not self.may_reveal():
            return
        if not self.masker.shows_secrets:
            self.masker = Masker.for_plan(self.plan, show=True)
        elif self._given.shows_secrets:
            self.masker = Masker.for_plan(self.plan)
        else:
            self.masker = self._given
        self.show_again()

    def action_other_sides(self) -> None:
        """Live and after, or previous and new manifest."""
        if self.plan.operation == "comparison":
            self.notify("Two stored revisions have two sides only.", timeout=3)
            return
        self.sides = "manifests" if self.sides == "cluster" else "cluster"
        self.show_sides()

    def show_again(self) -> None:
        """Show everything with the masker as it is now."""
        raise NotImplementedError

    def show_sides(self) -> None:
        """Show the two sides as they are chosen now."""
        raise NotImplementedError

    def copy(self, text: str, what: str) -> None:
        """Into the clipboard, as it is shown."""
        if text:
            self.app.copy_to_clipboard(text)
            self.notify(f"{what} is in the clipboard.", markup=False)
