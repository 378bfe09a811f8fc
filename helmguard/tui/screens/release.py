"""One release: its revisions, and any two of them, or one and what is live, compared."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import Footer, Static

from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan
from helmguard.model.release import Revision
from helmguard.report.styles import Line, Span
from helmguard.report.time_line_rows import (
    LIVE,
    comparison_title,
    live_words,
    release_headline,
    revision_before,
)
from helmguard.tui.release_texts import read_hooks, read_notes, read_status
from helmguard.tui.screens.text import TextLayout, TextScreen
from helmguard.tui.sources.source import OpenRelease
from helmguard.tui.styled import content
from helmguard.tui.widgets.review import Review
from helmguard.tui.widgets.row_list import RowList
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.time_line import TimeLine
from helmguard.tui.widgets.title_bar import TitleBar
from helmguard.tui.work import Report, WorkScreen

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp

WIDE = 160
"""Columns from which on the time line stands beside the comparison."""
_TALL = 40

ReadText = Callable[[Revision, Masker, "HelmguardApp"], TextLayout]
Pair = tuple[int, int]
"""Revisions, the second perhaps `LIVE`."""


class Compared(NamedTuple):
    """A comparison and what masks it."""

    plan: Plan
    masker: Masker


class ReleaseScreen(WorkScreen[None]):
    """An empty ``namespace`` is the one that helm would use."""

    DEFAULT_CSS = """
    ReleaseScreen #headline { height: 1; padding: 0 2; }
    ReleaseScreen #parts { height: 1fr; layout: vertical; }
    ReleaseScreen #time-line { height: 8; }
    ReleaseScreen #comparison { height: 1fr; width: 1fr; border-top: solid $primary; }
    ReleaseScreen.-tall #time-line { height: 35%; }
    ReleaseScreen.-wide #parts { layout: horizontal; }
    ReleaseScreen.-wide #time-line { width: 40%; height: 1fr; }
    ReleaseScreen.-wide #comparison { border-top: none; border-left: solid $primary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "Mark"),
        Binding("l", "live", "Live"),
        Binding("i", "status", "Status"),
        Binding("p", "plan", "Plan"),
        Binding("r", "rollback", "Rollback"),
        Binding("v", "go_to('values')", "Values", show=False),
        Binding("o", "go_to('objects')", "Objects", show=False),
        Binding("h", "hooks", "Hooks of the revision", show=False),
        Binding("t", "notes", "Notes of the revision", show=False),
        Binding("n", "next_change(1)", "Next change", show=False),
        Binding("N", "next_change(-1)", "Previous change", show=False),
        Binding("x", "reveal", "Reveal secrets", show=False),
        Binding("ctrl+r", "reload", "Read anew", show=False),
        Binding("escape", "back", "Back", show=False),
    ]

    def __init__(self, namespace: str, name: str) -> None:
        super().__init__()
        self.title = f"{namespace}/{name}" if namespace else name
        self._releasespace = namespace
        self._release = name
        self._opened: OpenRelease | None = None
        self._masker = Masker()
        self._marked: list[int] = []
        self._pair: Pair | None = None
        self._compared: dict[Pair, Compared] = {}
        self._live: Line = (Span("not compared yet: l compares", "dim"),)
        self._revealed = False

    @property
    def helmguard(self) -> HelmguardApp:
        """The program, with its source."""
        return cast("HelmguardApp", self.app)

    @property
    def opened(self) -> OpenRelease | None:
        """The release, once it is read."""
        return self._opened

    def compose(self) -> ComposeResult:
        """A headline, the time line, the comparison."""
        yield TitleBar()
        yield Stage(_Parts(), id="stage")
        yield Footer()

    def on_mount(self) -> None:
        """Read it."""
        self.action_reload()

    def action_reload(self) -> None:
        """Read everything anew."""
        self.cancel_work("compare")
        self.work(
            self._open, self._show_opened, stage=self.query_one("#stage", Stage), what="reading the release"
        )

    def _open(self, report: Report) -> tuple[OpenRelease, Masker]:
        opened = self.helmguard.source.open_release(self._releasespace, self._release, report)
        return opened, opened.masker(show=self._revealed)

    def _show_opened(self, found: tuple[OpenRelease, Masker]) -> None:
        self._opened, self._masker = found
        self._releasespace = self._opened.namespace
        self._compared.clear()
        self._marked = []
        self._live = (Span("not compared yet: l compares", "dim"),)
        self.query_one("#stage", Stage).ready()
        self._show_time_line(first=True)
        self.query_one(TimeLine).focus()
        last = self._last()
        if last is None:
            self._say("None of the revisions can be read.")
        else:
            self._compare_with_former(last)

    def _last(self) -> int | None:
        opened = self._opened
        last = opened.history.last() if opened is not None else None
        return last.version if last is not None else None

    def _revision(self) -> Revision | None:
        """The revision under the cursor, the last one where the cursor is on none."""
        if self._opened is None:
            return None
        version = self.query_one(TimeLine).version
        return self._opened.history.get(version or 0) or self._opened.history.last()

    def _show_time_line(self, *, first: bool = False) -> None:
        opened = self._opened
        if opened is None:
            return
        pen = self.helmguard.pen(self._masker, self.size.width - 4)
        self.query_one("#headline", Static).update(content([release_headline(opened.shown, pen)]))
        self.query_one(TimeLine).show_history(
            opened.shown,
            self.helmguard.now(),
            self._masker,
            marked=self._marked,
            compared=self._pair or (),
            live=self._live,
            brief=not (self.has_class("-wide") or self.has_class("-tall")),
            first=first,
        )

    def on_resize(self, event: events.Resize) -> None:
        """The time line above or beside."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.width < WIDE and event.size.height >= _TALL, "-tall")
        self.call_after_refresh(self._show_time_line)

    # Comparisons

    def _compare_with_former(self, version: int) -> None:
        assert self._opened is not None
        before = revision_before(self._opened.shown, version)
        if before is not None:
            self._compare((before, version))
            return
        self._pair = None
        self.cancel_work("compare")
        self._show_time_line()
        self._say(
            f"Revision {version} is the first that is stored: there is none to compare it with.\n\n"
            "l compares it with what is live, p plans an upgrade."
        )

    def _compare(self, pair: Pair) -> None:
        """Show two revisions beside each other, now or once they are compared."""
        self._pair = pair
        self._show_time_line()
        before, after = pair
        if pair in self._compared:
            self.cancel_work("compare")
            self._show_compared(pair, self._compared[pair])
            return
        other = "what is live" if after == LIVE else f"revision {after}"
        self.work(
            partial(self._read, pair),
            partial(self._show_compared, pair),
            stage=self.query_one("#comparison", Stage),
            what=f"comparing revision {before} with {other}",
            group="compare",
        )

    def _read(self, pair: Pair, report: Report) -> Compared:
        source, opened = self.helmguard.source, self._opened
        assert opened is not None
        before, after = pair
        if after == LIVE:
            plan = source.against_live(opened, before, report)
        else:
            plan = source.compare(opened, before, after)
        report("masking secrets")
        return Compared(plan, Masker.for_plan(plan, show=self._revealed))

    def _show_compared(self, pair: Pair, compared: Compared) -> None:
        assert self._opened is not None
        self._compared[pair] = compared
        before, after = pair
        if after == LIVE:
            self._live = live_words(compared.plan, before)
        self._show_time_line()
        self.query_one("#comparison", Stage).ready()
        pen = self.helmguard.pen(compared.masker, self.size.width)
        title = comparison_title(before, after, self._opened.shown, pen)
        self.query_one(Review).show(compared.plan, compared.masker, title=title)

    def _say(self, text: str) -> None:
        """In place of a comparison."""
        self.query_one("#comparison", Stage).empty(text)

    def on_row_list_opened(self, event: RowList.Opened) -> None:
        """Compare the revision with the one before; what is live with the last."""
        if not isinstance(event.row_list, TimeLine):
            return
        event.stop()
        version = event.row.item
        if version == LIVE:
            self.action_live()
        elif version is not None:
            self._compare_with_former(version)

    def action_mark(self) -> None:
        """Choose two revisions; they are compared once there are two."""
        version = self.query_one(TimeLine).version
        if version is None:
            return
        if version in self._marked:
            self._marked.remove(version)
        else:
            self._marked = [*self._marked, version]
        if len(self._marked) == 2:
            before, after = sorted(self._marked)
            self._marked = []
            self._compare((after, LIVE) if before == LIVE else (before, after))
        self._show_time_line()

    def action_live(self) -> None:
        """Compare the revision with what is live."""
        revision = self._revision()
        if revision is not None:
            self._compare((revision.version, LIVE))

    def action_go_to(self, section: str) -> None:
        """To a part of the comparison."""
        if self.query_one("#comparison", Stage).state == "content" and self._pair is not None:
            self.query_one(Review).go_to(section)

    def action_next_change(self, step: int) -> None:
        """To the next change of the comparison."""
        self.query_one(Review).next_change(step)

    def action_reveal(self) -> None:
        """Show secrets, or mask them again, where that was allowed."""
        if not self.helmguard.options.show_secrets:
            self.notify("Secrets stay masked: start with --show-secrets to reveal them.", markup=False)
            return
        self._revealed = not self._revealed
        if self._opened is not None:
            self._masker = self._opened.masker(show=self._revealed)
            self._compared.clear()
            self._show_time_line()
            if self._pair is not None:
                self._compare(self._pair)

    def action_back(self) -> None:
        """Give up the comparison that is being made, else the marks, else leave."""
        if self.cancel_work("compare"):
            self._say("Not compared.\n\nenter compares the revision with the one before.")
        elif self._marked:
            self._marked = []
            self._show_time_line()
        else:
            self.cancel_work()
            self.app.pop_screen()

    # Texts of the revision under the cursor

    def action_notes(self) -> None:
        """Its notes."""
        self._open_text("notes", read_notes, "reading the notes")

    def action_hooks(self) -> None:
        """Its hooks."""
        self._open_text("hooks", read_hooks, "reading the hooks")

    def _open_text(self, name: str, read: ReadText, what: str) -> None:
        revision = self._revision()
        if revision is not None:

            def reading(_: Report) -> TextLayout:
                return read(revision, self._masker, self.helmguard)

            self.app.push_screen(TextScreen(f"{name} of revision {revision.version}", reading, what))

    def action_status(self) -> None:
        """The release's state and the ways out of it."""
        if self._opened is not None:
            reading = partial(read_status, self._opened, self._revealed, self.helmguard)
            self.app.push_screen(TextScreen("status", reading, "reading the status"))

    # Plans

    def action_plan(self) -> None:
        """Fill in the form for an upgrade, then plan."""
        from helmguard.tui.dialogs.plan_form import PlanFormDialog
        from helmguard.tui.plan_form import PlanForm

        if self._opened is not None:
            last = self._opened.history.last()
            hint = f"{last.chart_name} {last.chart_version}".strip() if last is not None else ""
            form = PlanForm(self._opened.name, self._opened.namespace)
            self.app.push_screen(PlanFormDialog(form, hint=hint), self._plan)

    def _plan(self, form: object) -> None:
        from helmguard.tui.plan_form import PlanForm
        from helmguard.tui.screens.plan import PlanScreen

        if isinstance(form, PlanForm):
            self.app.push_screen(PlanScreen(form))

    def action_rollback(self) -> None:
        """Plan a rollback to the revision under the cursor."""
        from helmguard.tui.plan_form import PlanForm

        version = self.query_one(TimeLine).version if self._opened is not None else None
        if not version:
            self.notify("Put the cursor on the revision to go back to.", markup=False)
        elif self._opened is not None:
            self._plan(PlanForm(self._opened.name, self._opened.namespace, rollback_to=version))


class _Parts(Vertical):
    """Headline, time line and comparison."""

    def compose(self) -> ComposeResult:
        """All of them."""
        yield Static(id="headline")
        with Container(id="parts"):
            yield TimeLine(id="time-line")
            yield Stage(Review(id="review"), id="comparison")
