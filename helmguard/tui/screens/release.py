"""One release: its revisions, and any two of them, or one and what is live, compared."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import Footer, Static

from helmguard.masking.masker import Masker
from helmguard.model.helm_version import HelmVersion
from helmguard.model.plan import Plan
from helmguard.report.styles import Line, Span
from helmguard.report.time_line_rows import (
    LIVE,
    comparison_title,
    live_words,
    not_compared,
    release_headline,
    revision_before,
)
from helmguard.tui.screens.release_actions import ReleaseActions
from helmguard.tui.sources.source import OpenRelease
from helmguard.tui.styled import content
from helmguard.tui.widgets.review import Review
from helmguard.tui.widgets.row_list import RowList
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.time_line import TimeLine
from helmguard.tui.widgets.title_bar import TitleBar
from helmguard.tui.work import Report

WIDE = 160
"""Columns from which on the time line stands beside the comparison."""
_TALL = 40
_BRIEF_ROWS = 8
_KEPT = 8
"""Comparisons that are kept: those of large releases hold two manifests each."""

Pair = tuple[int, int]
"""Revisions, the second perhaps `LIVE`."""


class Compared(NamedTuple):
    """A comparison and what masks it."""

    plan: Plan
    masker: Masker


class ReleaseScreen(ReleaseActions):
    """An empty ``namespace`` is the one that helm would use."""

    DEFAULT_CSS = """
    ReleaseScreen #headline { height: 1; padding: 0 2; }
    ReleaseScreen #parts { height: 1fr; layout: vertical; }
    ReleaseScreen #comparison { height: 1fr; width: 1fr; border-top: solid $primary; }
    ReleaseScreen.-tall #time-line { height: 35%; }
    ReleaseScreen.-wide #parts { layout: horizontal; }
    ReleaseScreen.-wide #time-line { width: 40%; height: 1fr; }
    ReleaseScreen.-wide #comparison { border-top: none; border-left: solid $primary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "Mark", tooltip="Mark a revision; two marked ones are compared"),
        Binding("l", "live", "Live", tooltip="Compare the revision with what is live"),
        Binding("i", "status", "Status", tooltip="What state the release is in, and the ways out of it"),
        Binding("p", "plan", "Plan", tooltip="Plan an upgrade: chart, values, flags"),
        Binding("r", "rollback", "Rollback", tooltip="Plan a rollback to the revision"),
        Binding("y", "yaml", "YAML", show=False, tooltip="Both manifests as YAML, side by side"),
        Binding(
            "v", "go_to('values')", "Values", show=False, tooltip="The values that differ, and who set them"
        ),
        Binding("V", "all_values", "All values", show=False, tooltip="All values of both, side by side"),
        Binding("o", "go_to('objects')", "Objects", show=False, tooltip="The objects that differ"),
        Binding("h", "hooks", "Hooks", show=False, tooltip="The hooks of the revision"),
        Binding("t", "notes", "Notes", show=False, tooltip="The notes of the revision"),
        Binding("slash", "search", "Search the comparison", key_display="/", show=False),
        Binding("n", "next_change(1)", "Next change", show=False),
        Binding("N", "next_change(-1)", "Previous change", show=False),
        Binding("x", "reveal", "Reveal secrets", show=False),
        Binding("ctrl+r", "reload", "Read anew", show=False),
        Binding("escape", "back", "Back", show=False, tooltip="Cancel, else take back marks, else go back"),
    ]

    def __init__(self, namespace: str, name: str) -> None:
        super().__init__()
        self.title = f"{namespace}/{name}" if namespace else name
        self._namespace = namespace
        self._release = name
        self._marked: list[int] = []
        self._pair: Pair | None = None
        self._compared: dict[Pair, Compared] = {}
        self._live: Line = (Span("not compared yet: l compares", "dim"),)

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
        opened = self.program.source.open_release(self._namespace, self._release, report)
        return opened, opened.masker(show=self.revealed)

    def _show_opened(self, found: tuple[OpenRelease, Masker]) -> None:
        self.opened, self.masker = found
        if self.masker.shows_secrets != self.revealed:  # x was pressed meanwhile
            self.masker = self.opened.masker(show=self.revealed)
        self._namespace = self.opened.namespace
        self._compared.clear()
        self._marked = []
        self._live = (Span("not compared yet: l compares", "dim"),)
        self.query_one("#stage", Stage).ready()
        self._show_time_line(first=True)
        self.query_one(TimeLine).focus()
        last = self._last()
        if last is None:
            self._say("None of the revisions can be read: i says why, and which ways lead out.")
        else:
            self._compare_with_former(last)

    def _last(self) -> int | None:
        opened = self.opened
        last = opened.history.last() if opened is not None else None
        return last.version if last is not None else None

    def chosen_version(self) -> int | None:
        """The one under the cursor."""
        return self.query_one(TimeLine).version

    def _show_time_line(self, *, first: bool = False) -> None:
        opened = self.opened
        if opened is None:
            return
        pen = self.program.pen(self.masker, self.size.width - 4)
        self.query_one("#headline", Static).update(content([release_headline(opened.shown, pen)]))
        time_line, brief = self.query_one(TimeLine), not (self.has_class("-wide") or self.has_class("-tall"))
        time_line.styles.height = min(_BRIEF_ROWS, len(opened.shown.entries) + 1) if brief else None
        time_line.show_history(
            opened.shown,
            self.program.now(),
            self.masker,
            marked=self._marked,
            compared=self._pair or (),
            live=self._live,
            brief=brief,
            first=first,
        )

    def on_resize(self, event: events.Resize) -> None:
        """The time line above or beside."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.width < WIDE and event.size.height >= _TALL, "-tall")
        self.call_after_refresh(self._show_time_line)

    # Comparisons

    def _compare_with_former(self, version: int) -> None:
        assert self.opened is not None
        before = revision_before(self.opened.shown, version)
        if before is not None:
            self._compare((before, version))
            return
        self._pair = None
        self.cancel_work("compare")
        self._show_time_line()
        pen = self.program.pen(self.masker, self.size.width)
        self._say(
            f"{not_compared(version, self.opened.shown, pen)}\n\n"
            "l compares it with what is live, i says what state the release is in, p plans an upgrade."
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
        source, opened = self.program.source, self.opened
        assert opened is not None
        before, after = pair
        if after == LIVE:
            plan = source.against_live(opened, before, report)
        else:
            plan = source.compare(opened, before, after)
        report("masking secrets")
        return Compared(plan, Masker.for_plan(plan, show=self.revealed))

    def _show_compared(self, pair: Pair, compared: Compared) -> None:
        assert self.opened is not None
        self._compared[pair] = compared
        while len(self._compared) > _KEPT:
            del self._compared[next(iter(self._compared))]
        before, after = pair
        if after == LIVE:
            self._live = live_words(compared.plan, before)
        self._show_time_line()
        stage = self.query_one("#comparison", Stage)
        stage.ready()
        pen = self.program.pen(compared.masker, stage.size.width or self.size.width)
        title = comparison_title(before, after, self.opened.shown, pen)
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
        revision = self.revision()
        if revision is not None:
            self._compare((revision.version, LIVE))

    def on_review_object_opened(self, event: Review.ObjectOpened) -> None:
        """The object as a whole."""
        from helmguard.tui.screens.object import ObjectScreen

        compared = self._compared.get(self._pair) if self._pair is not None else None
        if compared is not None:
            self.app.push_screen(ObjectScreen(compared.plan, event.resource, compared.masker))

    def action_yaml(self) -> None:
        """The whole manifests of what is compared, side by side."""
        from helmguard.tui.screens.yaml import YamlScreen

        compared = self._compared.get(self._pair) if self._pair is not None else None
        if compared is None or self._pair is None:
            self.notify("First compare two revisions: enter, space or l.", markup=False)
            return
        before, after = self._pair
        other = "live" if after == LIVE else str(after)
        self.app.push_screen(YamlScreen(f"YAML of {before} and {other}", compared.plan, compared.masker))

    def action_all_values(self) -> None:
        """The whole values of the two revisions, side by side; beside live, those of the one revision."""
        from helmguard.tui.screens.values import ValuesScreen

        compared = self._compared.get(self._pair) if self._pair is not None else None
        if compared is None or self._pair is None or self.opened is None:
            self.notify("First compare two revisions: enter, space or l.", markup=False)
            return
        history, helm = self.opened.history, HelmVersion.parse(self.opened.shown.helm)
        before, after = (history.get(version or self._pair[0]) for version in self._pair)
        if before is not None and after is not None:
            self.app.push_screen(ValuesScreen(before, after, helm, compared.masker))

    def action_go_to(self, section: str) -> None:
        """To a part of the comparison."""
        if self.query_one("#comparison", Stage).state == "content" and self._pair is not None:
            self.query_one(Review).go_to(section)

    def action_search(self) -> None:
        """Type what to search for in the comparison."""
        if self.query_one("#comparison", Stage).state == "content":
            self.query_one(Review).action_search()

    def action_next_change(self, step: int) -> None:
        """To the next change of the comparison."""
        self.query_one(Review).next_change(step)

    def action_reveal(self) -> None:
        """Show secrets, or mask them again, where that was allowed."""
        if self.opened is not None and self.may_reveal():
            self.revealed = not self.revealed
            self.masker = self.opened.masker(show=self.revealed)
            self._compared.clear()
            self._show_time_line()
            if self._pair is not None:
                self._compare(self._pair)

    def action_back(self) -> None:
        """Give up the comparison that is being made, else the marks, else leave."""
        if self.cancel_work("compare"):
            self._pair = None
            self._show_time_line()
            self._say("Not compared.\n\nenter compares the revision with the one before.")
        elif self._marked:
            self._marked = []
            self._show_time_line()
        else:
            self.cancel_work()
            self.app.pop_screen()


class _Parts(Vertical):
    """Headline, time line and comparison."""

    def compose(self) -> ComposeResult:
        """All of them."""
        yield Static(id="headline")
        with Container(id="parts"):
            yield TimeLine(id="time-line")
            yield Stage(Review(id="review"), id="comparison")
