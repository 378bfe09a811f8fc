"""What helm and the rollouts told, as it comes; and what came of it at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from helmguard.report.page import Pen
from helmguard.report.run_page import told_lines
from helmguard.report.styles import Line
from helmguard.tui.helm_at_work import ToldOfRun
from helmguard.tui.widgets.row_list import Row, RowList

Write = Callable[[int], Pen]
"""The pen for a width."""


class RunLog(RowList):
    """Stays at its end while more comes, unless the user has scrolled away from it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._laid_out: list[Row] = []
        self._laid_out_for = 0

    def show_told(self, told: Sequence[ToldOfRun], write: Write) -> None:
        """All that was told up to now: what was shown before, and more."""
        at_end = self.scroll_offset.y >= self.max_scroll_y
        self.show(lambda width: self._rows_for(told, width, write))
        if at_end:
            self.scroll_end(animate=False)

    def show_lines(self, lines: Callable[[Pen], Sequence[Line]], write: Write) -> None:
        """A page in place of it."""
        self.show(lambda width: [Row((each,), selectable=False) for each in lines(write(width))], first=True)

    def _rows_for(self, told: Sequence[ToldOfRun], width: int, write: Write) -> Sequence[Row]:
        """What is laid out already is not laid out again."""
        if width != self._laid_out_for:
            self._laid_out, self._laid_out_for = [], width
        pen = write(width)
        for each in told[len(self._laid_out) :]:
            lines = told_lines(each.who, each.text, each.seconds, pen)
            self._laid_out.append(Row(tuple(lines), selectable=False))
        return list(self._laid_out)
