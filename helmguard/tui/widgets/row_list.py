"""A list of rows that are drawn only where they are seen: as quick with a hundred thousand as with ten."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, ClassVar, TypeAlias

import msgspec
from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from helmguard.report.display_width import display_width
from helmguard.report.styles import Line, width_of
from helmguard.tui.styled import SPAN_CLASSES, span_css, strip_of

_GUTTER = 2
"""Columns for the sign of the cursor, which must be seen without colour, too."""


class Row(msgspec.Struct, frozen=True):
    """One row of one or more lines. ``item`` is what it stands for, ``key`` finds it again after a change.

    ``lines`` may be made only where they are looked at; how many there are must be known before.
    The cursor passes over rows that are not ``selectable``: headings, remarks.
    """

    lines: Sequence[Line]
    item: Any = None
    key: str = ""
    selectable: bool = True


RowLayout: TypeAlias = Callable[[int], Sequence[Row]]
"""Makes the rows for a width in columns."""


class RowList(ScrollView, can_focus=True):
    """Shows what a `RowLayout` makes, has a cursor, and marks what is searched for."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *SPAN_CLASSES,
        "row-list--cursor",
        "row-list--cursor-blurred",
        "row-list--hit",
    }
    DEFAULT_CSS = """
    RowList { background: $surface; color: $foreground; height: 1fr; }
    RowList { scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    RowList > .row-list--cursor { background: $primary 35%; }
    RowList > .row-list--cursor-blurred { background: $primary 12%; }
    RowList:light > .row-list--cursor { background: $primary 20%; }
    RowList:ansi > .row-list--cursor, RowList:nocolor > .row-list--cursor {
        background: transparent; text-style: reverse;
    }
    RowList:ansi > .row-list--cursor-blurred, RowList:nocolor > .row-list--cursor-blurred {
        background: transparent; text-style: bold;
    }
    RowList > .row-list--hit { text-style: reverse underline; }
    """ + span_css("RowList")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("pagedown,ctrl+d,ctrl+f", "page(1)", "Page down", show=False),
        Binding("pageup,ctrl+u,ctrl+b", "page(-1)", "Page up", show=False),
        Binding("home,g", "end(-1)", "First", show=False),
        Binding("end,G", "end(1)", "Last", show=False),
        Binding("right", "sideways(8)", "Right", show=False),
        Binding("left", "sideways(-8)", "Left", show=False),
        Binding("enter", "open", "Open", show=False),
    ]

    cursor: reactive[int] = reactive(0, repaint=False)
    needle: reactive[str] = reactive("")

    class Highlighted(Message):
        """The cursor has come to another row."""

        def __init__(self, row_list: RowList, row: Row) -> None:
            super().__init__()
            self.row_list = row_list
            self.row = row

        @property
        def control(self) -> RowList:
            return self.row_list

    class Opened(Highlighted):
        """The row was chosen: by enter, or by a second click."""

    def __init__(self, *, id: str | None = None, classes: str | None = None, name: str | None = None) -> None:
        super().__init__(id=id, classes=classes, name=name)
        self._make_rows: RowLayout = lambda _: ()
        self._rows: Sequence[Row] = ()
        self._ends: list[int] = []
        self._width = 0
        self._told = ""

    @property
    def rows(self) -> Sequence[Row]:
        """What is shown."""
        return self._rows

    @property
    def row(self) -> Row | None:
        """The row under the cursor, None where no row can have it."""
        if 0 <= self.cursor < len(self._rows) and self._rows[self.cursor].selectable:
            return self._rows[self.cursor]
        return None

    def show(self, layout: RowLayout, *, first: bool = False) -> None:
        """Show other rows; the cursor stays at the row of the same key, or near, or goes to the first."""
        self._make_rows = layout
        self._lay_out("" if first else self._key_of_cursor(), first=first)

    def go_to(self, key: str) -> bool:
        """Put the cursor on the row with this key."""
        for index, row in enumerate(self._rows):
            if row.key == key and row.selectable:
                self._move_to(index)
                return True
        return False

    def next_hit(self, step: int) -> bool:
        """Go to the next row that holds what is searched for, around the end; False where none does."""
        wanted, count = self.needle.casefold(), len(self._rows)
        if not wanted:
            return False
        for distance in range(1, count + 1):
            index = (self.cursor + step * distance) % count
            row = self._rows[index]
            if row.selectable and wanted in _text(row).casefold():
                self._move_to(index)
                return True
        return False

    def render_line(self, y: int) -> Strip:
        """One line of the visible part."""
        scroll_x, scroll_y = self.scroll_offset
        width = self.size.width
        base = self.rich_style
        at = y + scroll_y
        index = bisect_right(self._ends, at)
        if index >= len(self._rows):
            return Strip.blank(width, base)
        row = self._rows[index]
        line = row.lines[at - (self._ends[index - 1] if index else 0)]
        on_cursor = index == self.cursor and row.selectable
        strip = self._searched(strip_of(line, self), line)
        strip = strip.crop(scroll_x, scroll_x + width - _GUTTER)
        sign = ("> " if self.has_focus else "| ") if on_cursor else "  "
        strip = Strip([Segment(sign), *strip]).adjust_cell_length(width)
        if on_cursor:
            name = "row-list--cursor" if self.has_focus else "row-list--cursor-blurred"
            return strip.apply_style(base + self.get_component_rich_style(name))
        return strip.apply_style(base)

    def index_at(self, y: int) -> int:
        """The row that is seen in this line of the list, the number of rows below the last one."""
        return bisect_right(self._ends, y + self.scroll_offset.y)

    def action_move(self, step: int) -> None:
        """To the next row that can be selected; past the last one, the view moves to the end."""
        index = self.cursor + step
        while 0 <= index < len(self._rows) and not self._rows[index].selectable:
            index += step
        if 0 <= index < len(self._rows):
            self._move_to(index)
        else:
            self.scroll_relative(y=step, animate=False)

    def action_page(self, direction: int) -> None:
        """About a screen further."""
        if self._rows and self.row is None:
            self.scroll_relative(y=direction * max(1, self.size.height - 1), animate=False)
        elif self._rows:
            top = self._ends[self.cursor - 1] if self.cursor else 0
            at = top + direction * max(1, self.size.height - 1)
            self._move_to(self._selectable_near(bisect_right(self._ends, max(0, at)), -direction))

    def action_end(self, direction: int) -> None:
        """To the first or last row."""
        if self._rows:
            self._move_to(self._selectable_near(0 if direction < 0 else len(self._rows) - 1, -direction))
            (self.scroll_home if direction < 0 else self.scroll_end)(animate=False)

    def action_sideways(self, columns: int) -> None:
        """Long lines are not wrapped."""
        self.scroll_relative(x=columns, animate=False)

    def action_open(self) -> None:
        """Choose the row under the cursor."""
        if self.row is not None:
            self.post_message(self.Opened(self, self.row))

    def watch_needle(self) -> None:
        """Marks are drawn anew."""
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Another width, another layout."""
        if event.size.width != self._width:
            self._lay_out(self._key_of_cursor())

    def on_focus(self) -> None:
        """The cursor looks otherwise."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor looks otherwise."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """One click moves the cursor, a second one chooses."""
        index = self.index_at(event.y)
        if index < len(self._rows) and self._rows[index].selectable:
            self._move_to(index)
            if event.chain > 1:
                self.action_open()

    def _lay_out(self, key: str, *, first: bool = False) -> None:
        self._width = self.size.width
        if self._width <= _GUTTER:
            return
        columns = self.scrollable_content_region.width or self._width
        self._rows = self._make_rows(max(1, columns - _GUTTER))
        self._ends = list(accumulate(len(row.lines) for row in self._rows))
        self.virtual_size = Size(max(1, self.widest() + _GUTTER), self._ends[-1] if self._ends else 0)
        found = next((index for index, row in enumerate(self._rows) if key and row.key == key), None)
        wanted = 0 if first else min(self.cursor, max(0, len(self._rows) - 1))
        self._told = ""
        self._move_to(self._selectable_near(wanted if found is None else found, 1), scroll=not first)
        if first:
            self.scroll_to(0, 0, animate=False)
        self.refresh()

    def widest(self) -> int:
        """Columns of the longest line, as far as it is worth to look."""
        return max((width_of(line) for row in self._rows[:2000] for line in row.lines), default=0)

    def _key_of_cursor(self) -> str:
        return self._rows[self.cursor].key if 0 <= self.cursor < len(self._rows) else ""

    def _selectable_near(self, index: int, step: int) -> int:
        """The row itself, else the next selectable one that way, else the other way."""
        index = max(0, min(index, len(self._rows) - 1))
        for direction in (step, -step):
            at = index
            while 0 <= at < len(self._rows):
                if self._rows[at].selectable:
                    return at
                at += direction
        return index

    def _move_to(self, index: int, *, scroll: bool = True) -> None:
        self.cursor = index
        self.refresh()
        if not 0 <= index < len(self._rows):
            return
        row = self._rows[index]
        if scroll:
            top = self._ends[index - 1] if index else 0
            region = Region(self.scroll_offset.x, top, 1, len(row.lines))
            self.scroll_to_region(region, animate=False, force=True)
        told = f"{index} {row.key}"
        if row.selectable and told != self._told:
            self._told = told
            self.post_message(self.Highlighted(self, row))

    def _searched(self, strip: Strip, line: Line) -> Strip:
        """With the hits marked."""
        wanted = self.needle.casefold()
        if not wanted:
            return strip
        text = "".join(span.text for span in line).casefold()
        style = self.get_component_rich_style("row-list--hit", partial=True)
        start = text.find(wanted)
        while start >= 0:
            left, right = display_width(text[:start]), display_width(text[: start + len(wanted)])
            before, hit, after = strip.crop(0, left), strip.crop(left, right), strip.crop(right)
            hit = Strip(Segment.apply_style(hit, post_style=style))
            strip = Strip.join([before, hit, after])
            start = text.find(wanted, start + len(wanted))
        return strip


def _text(row: Row) -> str:
    return " ".join("".join(span.text for span in line) for line in row.lines)
