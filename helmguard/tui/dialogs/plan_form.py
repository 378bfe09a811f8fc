"""The form for a plan: what stands behind ``helmguard plan``."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Label, Static, TextArea

from helmguard.report.escaping import escape_line
from helmguard.report.styles import Span
from helmguard.tui.dialogs.frame import FRAME_CSS
from helmguard.tui.form_troubles import FormTrouble, form_troubles
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.styled import content
from helmguard.tui.widgets.mode_choice import ModeChoice
from helmguard.tui.widgets.path_suggester import PathSuggester
from helmguard.tui.widgets.trouble import Trouble

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp


class PlanFormDialog(ModalScreen[PlanForm | None]):
    """Answers what to plan, None for nothing. Nothing is planned until asked.

    Without a chart in the ``form``, what was planned last for the release is filled in. ``hint`` is shown in
    the chart's field while it is empty.
    """

    DEFAULT_CSS = (
        FRAME_CSS.replace("DIALOG", "PlanFormDialog")
        + """
    PlanFormDialog VerticalScroll { height: auto; max-height: 100%; }
    PlanFormDialog .field { height: auto; }
    PlanFormDialog Label { width: 13; color: $text-muted; }
    PlanFormDialog Input, PlanFormDialog ModeChoice { width: 1fr; }
    PlanFormDialog TextArea { width: 1fr; height: 3; }
    PlanFormDialog Trouble { margin-left: 13; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Cancel"),
        Binding("ctrl+s", "plan", "Plan"),
    ]

    def __init__(self, form: PlanForm, *, hint: str = "") -> None:
        super().__init__()
        self._form = form
        self._hint = hint

    def compose(self) -> ComposeResult:
        """A line for each field."""
        app = cast("HelmguardApp", self.app)
        if not self._form.chart and not self._form.is_rollback:
            self._form = app.last_forms.get((self._form.namespace, self._form.release), self._form)
        with Vertical(classes="dialog--box"):
            yield Static(content([(Span(self._title(), "bold"),)]))
            with VerticalScroll(can_focus=False):
                yield from self._rollback_fields() if self._form.is_rollback else self._upgrade_fields()
            keys = "enter or ctrl+s plans, tab goes on, esc cancels"
            yield Static(content([(Span(keys, "dim"),)]))

    def on_input_submitted(self) -> None:
        """Enter plans."""
        self.action_plan()

    def on_row_list_opened(self) -> None:
        """Enter on the choice of a mode, too."""
        self.action_plan()

    def action_plan(self) -> None:
        """Plan, unless something can be seen to be wrong at once."""
        app = cast("HelmguardApp", self.app)
        form = self._filled()
        found = form_troubles(form, app.options.common_words, offline=not app.source.can_execute)
        for trouble in self.query(Trouble):
            trouble.say("")
        if not found:
            self.dismiss(form)
            return
        for each in found:
            self._say(each)
        self.query_one(f"#{found[0].field}", Widget).focus()

    def _say(self, trouble: FormTrouble) -> None:
        self.query_one(f"#trouble-{trouble.field}", Trouble).say(trouble.error)

    def _title(self) -> str:
        app = cast("HelmguardApp", self.app)
        what = "a rollback" if self._form.is_rollback else "an upgrade"
        place = f" in {self._form.namespace}" if self._form.namespace else ""
        return escape_line(f"Plan {what} of {self._form.release}{place}", ascii_only=not app.unicode)

    def _upgrade_fields(self) -> ComposeResult:
        form = self._form
        yield from _field(
            "chart",
            "Chart",
            Input(
                form.chart,
                placeholder=self._hint or "folder, archive, REPO/CHART or oci://",
                id="chart",
                suggester=PathSuggester(),
                compact=True,
            ),
        )
        yield from _field(
            "version",
            "Version",
            Input(
                form.version, placeholder="the latest, or as the folder has it", id="version", compact=True
            ),
        )
        yield from _field(
            "files",
            "Values files",
            PathsInput(
                ",".join(form.values_files),
                placeholder="commas between",
                id="files",
                suggester=PathSuggester(","),
                compact=True,
            ),
        )
        yield from _field(
            "sets",
            "Set",
            TextArea(
                "\n".join(form.sets),
                id="sets",
                compact=True,
                tab_behavior="focus",
                show_line_numbers=False,
                placeholder="one a line: image.tag=1.2, or --set-string a=b",
            ),
        )
        yield from _field("mode", "Old values", ModeChoice(form.mode, id="mode"))
        yield from self._other_field()

    def _rollback_fields(self) -> ComposeResult:
        to = str(self._form.rollback_to or "")
        yield from _field(
            "revision",
            "To revision",
            Input(to, placeholder="the one before", id="revision", type="integer", compact=True),
        )
        yield from self._other_field()

    def _other_field(self) -> ComposeResult:
        yield from _field(
            "other",
            "Other flags",
            Input(
                self._form.other,
                placeholder="as for helmguard plan: --atomic",
                id="other",
                compact=True,
            ),
        )

    def _filled(self) -> PlanForm:
        """The form as it stands in the fields."""
        other = self._text("other")
        if self._form.is_rollback:
            typed = self._text("revision")
            return replace(self._form, rollback_to=int(typed) if typed.isdecimal() else 0, other=other)
        files = tuple(name.strip() for name in self._text("files").split(",") if name.strip())
        lines = self.query_one("#sets", TextArea).text.splitlines()
        return replace(
            self._form,
            chart=self._text("chart"),
            version=self._text("version"),
            values_files=files,
            sets=tuple(line.strip() for line in lines if line.strip()),
            mode=self.query_one(ModeChoice).mode,
            other=other,
        )

    def _text(self, field: str) -> str:
        return self.query_one(f"#{field}", Input).value.strip()


class PathsInput(Input):
    """Several paths in one line; of what is pasted, each line is one."""

    def _on_paste(self, event: events.Paste) -> None:
        lines = [line.strip() for line in event.text.splitlines() if line.strip()]
        event.text = ",".join(lines)
        super()._on_paste(event)


def _field(name: str, label: str, widget: Widget) -> ComposeResult:
    yield Horizontal(Label(label, markup=False), widget, classes="field")
    yield Trouble(id=f"trouble-{name}")
