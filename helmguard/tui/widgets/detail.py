"""What there is to read about what is under the cursor elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from helmguard.report.styles import Line
from helmguard.tui.widgets.row_list import Row, RowList

Lines = Callable[[int], Sequence[Line]]


class DetailPane(RowList):
    """Lines without a cursor: the keys scroll."""

    DEFAULT_CSS = """
    DetailPane { background: $panel; }
    """

    def read(self, lines: Lines, *, key: str = "") -> None:
        """Show other lines, from their beginning; ``lines`` makes them for a width in columns."""
        del key
        self.show(lambda width: [Row((line,), selectable=False) for line in lines(width)], first=True)
