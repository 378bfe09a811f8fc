"""Two texts beside each other, folded to what differs; as quick with long texts as with short ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, overload

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widgets import Static

from helmguard.masking.secret_marks import without_digest
from helmguard.report.layout import padded
from helmguard.report.plural import plural
from helmguard.report.side_by_side import Fold, SideRow, SideText, folded
from helmguard.report.side_by_side_lines import SideLayout, fold_line, height_of, row_lines
from helmguard.report.styles import Line, Span
from helmguard.report.symbols import ASCII, UNICODE
from helmguard.tui.styled import content
from helmguard.tui.widgets.row_list import Row, RowList
from helmguard.tui.widgets.search_bar import SearchBar

_CONTEXT = 3
_KEPT = 400


class SideList(RowList):
    """The rows. Long lines are cut; left and right move what is seen of them, on both sides alike."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "open", "Unfold", show=False),
        Binding("asterisk", "unfold_all", "Unfold all", key_display="*", show=False),
        Binding("minus", "fold_all", "Fold all", key_display="-", show=False),
    ]

    class Moved(Message):
        """Long lines are to be seen from another column on."""

        def __init__(self, columns: int) -> None:
            super().__init__()
            self.columns = columns

    class FoldAll(Message):
        """Fold all again, or unfold all."""

        def __init__(self, unfolded: bool) -> None:
            super().__init__()
            self.unfolded = unfolded

    def widest(self) -> int:
        """Rows fit."""
        return max(1, self.scrollable_content_region.width - 2)

    def action_sideways(self, columns: int) -> None:
        """Both sides at once."""
        self.post_message(self.Moved(columns))

    def action_unfold_all(self) -> None:
        """Everything."""
        self.post_message(self.FoldAll(True))

    def action_fold_all(self) -> None:
        """Only what differs."""
        self.post_message(self.FoldAll(False))

    def on_click(self, event: events.Click) -> None:
        """A click on a fold unfolds it."""
        index = self.index_at(event.y)
        if index < len(self.rows) and isinstance(self.rows[index].item, Fold) and event.chain == 1:
            self.post_message(self.Opened(self, self.rows[index]))


class SideBySide(Container):
    """Names of the sides, the rows, and a line to search in."""

    DEFAULT_CSS = """
    SideBySide { height: 1fr; width: 1fr; }
    SideBySide > .side-by-side--names { height: 1; background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next(1)", "Next"),
        Binding("N", "next(-1)", "Previous change or hit", show=False),
        Binding("slash", "search", "Search", key_display="/"),
        Binding("w", "wrap", "Wrap"),
        Binding("escape", "clear_search", "Clear the search", show=False),
    ]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._text = SideText()
        self._names = ("", "")
        self._unfolded: frozenset[int] = frozenset()
        self._offset = 0
        self._texts: list[str] = []
        self._origin = 0
        self._wanted: int | None = None
        self.wraps = False

    def compose(self) -> ComposeResult:
        """All of it."""
        yield Static(classes="side-by-side--names")
        yield SideList(id="side-list")
        yield SearchBar("search both sides", id="side-search")

    @property
    def side_list(self) -> SideList:
        """The rows."""
        return self.query_one(SideList)

    def show_text(self, text: SideText, names: tuple[str, str]) -> None:
        """Show other texts, from the first change on."""
        self._text, self._names = text, names
        self._unfolded, self._offset, self._texts = frozenset(), 0, []
        self.query_one(SearchBar).clear()
        self._wanted = text.next_change(-1, 1)
        self.side_list.show(self._layout, first=True)

    def right_text(self) -> str:
        """The right side as it is shown, whole."""
        lines = [without_digest(row.right) for row in self._text.rows if row.right_number]
        return "".join(f"{text}\n" for text in lines)

    def clear_search(self) -> bool:
        """Search for nothing any more; False where nothing was searched for."""
        return self.query_one(SearchBar).clear()

    def next(self, step: int) -> None:
        """To the next hit where something is searched for, else to the next change, around the end."""
        needle = self.side_list.needle
        found = (
            self._next_hit(self._at(), step, needle) if needle else self._text.next_change(self._at(), step)
        )
        if found is None:
            self.app.notify("Nothing found." if needle else "Both sides are equal.", timeout=3)
        else:
            self._go_to(found)

    def action_next(self, step: int) -> None:
        """n and N."""
        self.next(step)

    def action_search(self) -> None:
        """Open the line."""
        self._origin = self._at()
        self.query_one(SearchBar).open()

    def action_wrap(self) -> None:
        """Long lines go on below, or are cut."""
        self.wraps = not self.wraps
        self._offset = 0
        self.side_list.show(self._layout)

    def action_clear_search(self) -> None:
        """Esc, while something is searched for."""
        self.clear_search()

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        """Esc is the screen's where nothing is searched for."""
        return bool(self.side_list.needle) if action == "clear_search" else True

    def on_search_bar_changed(self, event: SearchBar.Changed) -> None:
        """Mark it, and go to the first from where the search began."""
        event.stop()
        if isinstance(event, SearchBar.Kept):
            return
        self.side_list.needle = event.text
        found = self._next_hit(self._origin - 1, 1, event.text) if event.text else None
        words = "" if found is not None or not event.text else "not found"
        if found is not None:
            hits = sum(event.text.casefold() in text for text in self._searched())
            words = plural(hits, "line")
            self._go_to(found)
        self.query_one(SearchBar).tell(words)

    def on_row_list_opened(self, event: RowList.Opened) -> None:
        """A fold is unfolded."""
        if isinstance(event.row.item, Fold):
            event.stop()
            self._unfolded |= {event.row.item.start}
            self._again(event.row.item.start)

    def on_side_list_moved(self, event: SideList.Moved) -> None:
        """From another column on."""
        event.stop()
        if not self.wraps:
            self._offset = max(0, self._offset + event.columns)
            self.side_list.show(self._layout)

    def on_side_list_fold_all(self, event: SideList.FoldAll) -> None:
        """All folds at once."""
        event.stop()
        at = self._at()
        every = folded(self._text.rows, _CONTEXT, frozenset())
        starts = frozenset(item.start for item in every if isinstance(item, Fold))
        self._unfolded = starts if event.unfolded else frozenset()
        self._again(at)

    def _again(self, at: int) -> None:
        self.side_list.show(self._layout)
        self.side_list.go_to(str(at))

    def _layout(self, width: int) -> list[Row]:
        """The rows for a width; their lines are made where they are seen."""
        unicode = bool(getattr(self.app, "unicode", True))
        layout = SideLayout(
            width, self._text.numbers, UNICODE if unicode else ASCII, self.wraps, self._offset
        )
        self._show_names(layout)
        if self._wanted is not None:
            # Not before the list has its size, and these rows.
            self.call_later(self._go_to, self._wanted)
            self._wanted = None
        made: dict[int, list[Line]] = {}
        rows: list[Row] = []
        for item in folded(self._text.rows, _CONTEXT, self._unfolded):
            if isinstance(item, Fold):
                rows.append(Row((fold_line(item, layout.symbols),), item, str(item.start)))
            else:
                row = self._text.rows[item]
                rows.append(Row(_Lines(row, item, layout, made), row, str(item)))
        return rows

    def _show_names(self, layout: SideLayout) -> None:
        """Each above its side, and how much differs."""
        left, right = self._names
        count = len(self._text.starts)
        told = Span(f"   {plural(count, 'change')}" if count else "   equal", "dim")
        if layout.is_unified:
            signs = (Span(f"  - {left}", "delete"), Span("   "), Span(f"+ {right}", "create"), told)
            self.query_one(".side-by-side--names", Static).update(content([signs]))
            return
        half = layout.numbers + 3 + layout.room
        spans = padded((Span(f"  {left}", "bold"),), half + 2)
        line = (*spans, Span(layout.separator, "dim"), Span(right, "bold"), told)
        self.query_one(".side-by-side--names", Static).update(content([line]))

    def _at(self) -> int:
        """The row under the cursor; of a fold, its first."""
        row = self.side_list.row
        return int(row.key) if row is not None and row.key else 0

    def _go_to(self, place: int) -> None:
        """Put the cursor on a row, unfolded if it must be."""
        if not self.side_list.go_to(str(place)) or self._is_folded(place):
            for item in folded(self._text.rows, _CONTEXT, self._unfolded):
                if isinstance(item, Fold) and item.start <= place < item.end:
                    self._unfolded |= {item.start}
            self._again(place)

    def _is_folded(self, place: int) -> bool:
        row = self.side_list.row
        return row is not None and isinstance(row.item, Fold) and row.item.start == place

    def _next_hit(self, at: int, step: int, needle: str) -> int | None:
        texts, wanted = self._searched(), needle.casefold()
        for distance in range(1, len(texts) + 1):
            place = (at + step * distance) % len(texts)
            if wanted in texts[place]:
                return place
        return None

    def _searched(self) -> list[str]:
        if not self._texts:
            self._texts = [
                without_digest(f"{row.left}\n{row.right}" if row.kind != "same" else row.left).casefold()
                for row in self._text.rows
            ]
        return self._texts


class _Lines(Sequence[Line]):
    """The lines of one row, made when they are looked at; the last ones made are kept."""

    __slots__ = ("_height", "_layout", "_made", "_place", "_row")

    def __init__(self, row: SideRow, place: int, layout: SideLayout, made: dict[int, list[Line]]) -> None:
        self._row = row
        self._place = place
        self._layout = layout
        self._made = made
        self._height = height_of(row, layout)

    def __len__(self) -> int:
        return self._height

    @overload
    def __getitem__(self, index: int) -> Line: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...

    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        lines = self._made.get(self._place)
        if lines is None:
            if len(self._made) > _KEPT:
                self._made.clear()
            lines = self._made[self._place] = row_lines(self._row, self._layout)
        return lines[index]
