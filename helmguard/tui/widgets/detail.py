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

    _hit = -1

    def read(self, lines: Lines) -> None:
        """Show other lines, from their beginning; ``lines`` makes them for a width in columns."""
        self._hit = -1
        self.show(lambda width: [Row((line,), selectable=False) for line in lines(width)], first=True)

    def next_hit(self, step: int) -> bool:
        """Scroll to the next line that holds what is searched for, around the end."""
        wanted, count = self.needle.casefold(), len(self.rows)
        for distance in range(1, count + 1) if wanted else ():
            at = (self._hit + step * distance) % count
            if wanted in "".join(span.text for span in self.rows[at].lines[0]).casefold():
                self._hit = at
                self.scroll_to(y=max(0, at - 1), animate=False)
                return True
        return False
