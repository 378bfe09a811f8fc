"""The list of releases: thousands of them, each a line that is made where it is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, cast, overload

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer

from helmguard.report.page import Pen
from helmguard.report.release_lines import ReleaseColumns, release_columns, release_line
from helmguard.report.release_rows import ReleaseRow
from helmguard.report.styles import Line
from helmguard.tui.widgets.row_list import Row, RowList

_REST = 0.15
"""Seconds that the view must rest before what it shows is read."""


class ReleaseList(RowList):
    """Shows `ReleaseRow`s, and says which are in view once it has come to rest."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open the release: its revisions")
    ]

    class Seen(Message):
        """These releases are in view, and there is room for their charts."""

        def __init__(self, rows: list[ReleaseRow]) -> None:
            super().__init__()
            self.rows = rows

    class LaidOut(Message):
        """The columns have other widths."""

        def __init__(self, columns: ReleaseColumns) -> None:
            super().__init__()
            self.columns = columns

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._every: Sequence[ReleaseRow] = ()
        self._shown: Sequence[ReleaseRow] = ()
        self._pen: Pen | None = None
        self._now = 0
        self._columns: ReleaseColumns | None = None
        self._measured: tuple[Sequence[ReleaseRow], int, bool] = ((), 0, False)
        self._made: dict[str, Row] = {}
        self._places: dict[str, int] = {}
        self._resting: Timer | None = None

    @property
    def columns(self) -> ReleaseColumns | None:
        """Their widths, once they are known."""
        return self._columns

    @property
    def release(self) -> ReleaseRow | None:
        """The release under the cursor."""
        return cast("ReleaseRow", self.row.item) if self.row is not None else None

    def show_releases(
        self,
        every: Sequence[ReleaseRow],
        shown: Sequence[ReleaseRow],
        now: int,
        pen: Pen,
        *,
        first: bool = False,
    ) -> None:
        """``shown`` of ``every`` release; ``now`` in Unix seconds."""
        if every is not self._every or now != self._now:
            self._made = {}
        self._every, self._shown, self._now, self._pen = every, shown, now, pen
        self.show(self._layout, first=first)

    def told_more(self, row: ReleaseRow) -> None:
        """Draw one release anew, of which more is known."""
        self._made.pop(row.key, None)
        place = self._places.get(row.key)
        if place is not None and self._columns is not None:
            cast("list[Row]", self._rows)[place] = self._row(row, self._columns)
            self.refresh()

    def widest(self) -> int:
        """Lines are cut to the width."""
        return 0

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other releases are in view."""
        super().watch_scroll_y(old_value, new_value)
        self._rest()

    def _layout(self, width: int) -> list[Row]:
        # Measuring thousands of names takes longer than all else here.
        asked = any(row.drift is not None for row in self._every)
        if (self._every, width, asked) != self._measured or self._columns is None:
            self._measured = (self._every, width, asked)
            columns = release_columns(self._every, width)
            if columns != self._columns:
                self._columns, self._made = columns, {}
                self.post_message(self.LaidOut(columns))
        columns = self._columns
        assert columns is not None
        self._places = {row.key: place for place, row in enumerate(self._shown)}
        self._rest()
        return [self._made.get(row.key) or self._row(row, columns) for row in self._shown]

    def _row(self, row: ReleaseRow, columns: ReleaseColumns) -> Row:
        pen = self._pen
        assert pen is not None
        made = Row(_OneLine(lambda: release_line(row, columns, self._now, pen)), row, row.key)
        self._made[row.key] = made
        return made

    def _rest(self) -> None:
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(_REST, self._tell_seen)

    def _tell_seen(self) -> None:
        top = self.scroll_offset.y
        seen = self._shown[top : top + self.size.height]
        if seen and self._columns is not None and self._columns.chart:
            self.post_message(self.Seen(list(seen)))


class _OneLine(Sequence[Line]):
    """One line, made when it is first looked at."""

    def __init__(self, make: Callable[[], Line]) -> None:
        self._make = make
        self._line: Line | None = None

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Line]:
        yield self[0]

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        if isinstance(index, slice):
            return [self[0]][index]
        if index not in (0, -1):
            raise IndexError(index)
        if self._line is None:
            self._line = self._make()
        return self._line
