"""Saving a plan into a file, as ``helmguard plan --out`` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.saved_plan import about_texts
from helmguard.report.styles import Line, Span
from helmguard.saved_plan.write import WrittenPlan
from helmguard.tui.dialogs.frame import FRAME_CSS, WIDTH
from helmguard.tui.styled import content
from helmguard.tui.widgets.path_suggester import PathSuggester
from helmguard.tui.widgets.trouble import Trouble
from helmguard.tui.work import Report, WorkScreen

Save = Callable[[str, tuple[str, ...], Report], WrittenPlan]
"""Writes the plan to a path, sealed to these keys."""

_ABOUT = (
    "For helmguard show and apply. Without a key no secret goes into the file: what holds one is needed "
    "again when it is applied."
)


class SavePlanDialog(ModalScreen[WrittenPlan | None], WorkScreen[WrittenPlan | None]):
    """Asks where to, saves, and says what the file holds; answers with it, None where nothing was saved.

    ``accepted`` are the rules whose findings were accepted for this run alone.
    """

    DEFAULT_CSS = FRAME_CSS.replace("DIALOG", "SavePlanDialog")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close"),
        Binding("ctrl+s,enter", "save", "Save"),
    ]

    def __init__(self, name: str, save: Save, pen: Pen, accepted: Sequence[str] = ()) -> None:
        super().__init__()
        self._accepted = tuple(accepted)
        self._name = name
        self._save = save
        self._pen = pen
        self._written: WrittenPlan | None = None

    def compose(self) -> ComposeResult:
        """Two fields, and what is to be said."""
        with Vertical(classes="dialog--box"):
            yield Static(content([(Span("Save the plan", "bold"),)]))
            yield Static(content(wrapped([Span(_ABOUT, "dim")], WIDTH)))
            yield Static("File", classes="label")
            yield Input(f"{self._name}.hgplan", id="file", suggester=PathSuggester())
            yield Static("Seal to (public keys or files of such, commas between; may be empty)")
            yield Input(
                placeholder="age1..., ssh-ed25519 ..., keys.txt", id="keys", suggester=PathSuggester(",")
            )
            yield Trouble()
            yield Static(content([(Span("enter saves, esc goes back", "dim"),)]), id="said")

    def on_input_submitted(self) -> None:
        """Enter saves."""
        self.action_save()

    def action_save(self) -> None:
        """Save, unless it is done."""
        if self._written is not None:
            self.action_close()
            return
        path = self.query_one("#file", Input).value.strip()
        keys = tuple(key.strip() for key in self.query_one("#keys", Input).value.split(",") if key.strip())
        trouble = self.query_one(Trouble)
        trouble.say("" if path else "A file's name is wanted.")
        if path:
            self.work(
                lambda report: self._save(path, keys, report), self._done, group="save", failed=trouble.say
            )

    def action_close(self) -> None:
        """Back, with what was saved."""
        self.cancel_work("save")
        self.dismiss(self._written)

    def _done(self, written: WrittenPlan) -> None:
        self._written = written
        for field in self.query(Input):
            field.disabled = True
        self.query_one("#said", Static).update(content(self._about(written)))

    def _about(self, written: WrittenPlan) -> list[Line]:
        pen = self._pen
        lines: list[Line] = [(Span("Saved to ", "good"), pen.text(f"{written.path}.", "bold"))]
        for text in about_texts(written.header):
            lines += wrapped([pen.text(text)], WIDTH, 2)
        if self._accepted:
            flags = " ".join(f"--accept {rule}=REASON" for rule in self._accepted)
            told = f"What you accepted is not in the file: helmguard apply {written.path} {flags}"
            lines += wrapped([pen.text(told, "warning")], WIDTH, 2)
        return [*lines, (Span("enter or esc closes", "dim"),)]
