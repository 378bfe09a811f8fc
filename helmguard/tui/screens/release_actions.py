"""What is asked for about a release that is open: texts, its state, plans."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from helmguard.masking.masker import Masker
from helmguard.model.release import Revision
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.release_texts import read_hooks, read_notes, read_status
from helmguard.tui.screens.text import TextLayout, TextScreen
from helmguard.tui.sources.source import OpenRelease
from helmguard.tui.work import Report, WorkScreen

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp

ReadText = Callable[[Revision, Masker, "HelmguardApp"], TextLayout]


class ReleaseActions(WorkScreen[None]):
    """``opened`` is the release once it is read, ``masker`` its own; ``revealed``: secrets are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: OpenRelease | None = None
        self.masker = Masker()
        self.revealed = False

    def chosen_version(self) -> int | None:
        """The number of the revision that is chosen, 0 for what is live, None for none."""
        raise NotImplementedError

    def revision(self) -> Revision | None:
        """The revision that is chosen, the last one where none is; the user is told where there is none."""
        if self.opened is None:
            return None
        history = self.opened.history
        found = history.get(self.chosen_version() or 0) or history.last()
        if found is None:
            self.notify("None of the revisions can be read.", markup=False)
        return found

    def action_notes(self) -> None:
        """Its notes."""
        self._open_text("notes", read_notes, "reading the notes")

    def action_hooks(self) -> None:
        """Its hooks."""
        self._open_text("hooks", read_hooks, "reading the hooks")

    def _open_text(self, name: str, read: ReadText, what: str) -> None:
        revision = self.revision()
        if revision is not None:

            def reading(_: Report) -> TextLayout:
                return read(revision, self.masker, self.program)

            self.app.push_screen(TextScreen(f"{name} of revision {revision.version}", reading, what))

    def action_status(self) -> None:
        """The release's state and the ways out of it."""
        if self.opened is not None:
            reading = partial(read_status, self.opened, self.revealed, self.program)
            self.app.push_screen(TextScreen("status", reading, "reading the status"))

    # Plans

    def action_plan(self) -> None:
        """Fill in the form for an upgrade, then plan."""
        from helmguard.tui.dialogs.plan_form import PlanFormDialog

        if self.opened is not None:
            last = self.opened.history.last()
            was = f"{last.chart_name} {last.chart_version}".strip() if last is not None else ""
            hint = f"was {was}: folder, archive, REPO/CHART, oci://" if was else ""
            hint = self.program.pen(self.masker, 80).text(hint).text
            form = PlanForm(self.opened.name, self.opened.namespace)
            self.app.push_screen(PlanFormDialog(form, hint=hint), self._plan)

    def _plan(self, form: PlanForm | None) -> None:
        from helmguard.tui.screens.plan import PlanScreen

        if form is not None:
            self.app.push_screen(PlanScreen(form))

    def action_rollback(self) -> None:
        """Plan a rollback to the revision under the cursor."""
        if self.opened is None:
            return
        version = self.chosen_version()
        if not version:
            self.notify("Put the cursor on the revision to go back to.", markup=False)
        else:
            self._plan(PlanForm(self.opened.name, self.opened.namespace, rollback_to=version))
