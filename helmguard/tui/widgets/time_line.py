"""The revisions of a release as a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType

from helmguard.masking.masker import Masker
from helmguard.model.revision_changes import ReleaseHistory
from helmguard.report.styles import Line
from helmguard.report.time_line_rows import row_key, time_line_rows
from helmguard.tui.widgets.row_list import Row, RowList

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp


class TimeLine(RowList):
    """A row's ``item`` is the revision's number, `LIVE` for what is live, None where there is no revision."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Compare", tooltip="Compare the revision with the one before")
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._start = ""

    def show_history(
        self,
        history: ReleaseHistory,
        now: str,
        masker: Masker,
        *,
        marked: Sequence[int] = (),
        compared: Sequence[int] = (),
        live: Line | None = None,
        brief: bool = False,
        first: bool = False,
    ) -> None:
        """As `time_line_rows` has it; ``first`` puts the cursor on the newest revision."""
        app = cast("HelmguardApp", self.app)

        def layout(width: int) -> list[Row]:
            found = time_line_rows(
                history,
                now,
                app.pen(masker, width),
                marked=marked,
                compared=compared,
                live=live,
                brief=brief,
            )
            return [
                Row(row.lines, row.version, row.key, self.can_focus and row.version is not None)
                for row in found
            ]

        if first:
            newest = next((entry for entry in reversed(history.entries) if entry.revision is not None), None)
            self._start = row_key(newest) if newest is not None else ""
        self.show(layout, first=first)

    @property
    def version(self) -> int | None:
        """The revision under the cursor."""
        return cast("int | None", self.row.item) if self.row is not None else None

    def _lay_out(self, key: str, *, first: bool = False) -> None:
        """The cursor starts where it was wanted, once there is room for rows."""
        super()._lay_out(self._start or key, first=first and not self._start)
        if self.rows:
            self._start = ""
