"""Choose the namespace whose releases are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from helmguard.masking.masker import Masker
from helmguard.report.cut_line import cut_line
from helmguard.report.styles import Span, line
from helmguard.tui.dialogs.frame import FRAME_CSS
from helmguard.tui.styled import content
from helmguard.tui.widgets.row_list import Row, RowList

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp


class NamespaceDialog(ModalScreen[str | None]):
    """Gives the namespace, empty for all; None where nothing was chosen. ``names``: one for each release."""

    DEFAULT_CSS = (
        FRAME_CSS.replace("DIALOG", "NamespaceDialog")
        + """
    NamespaceDialog RowList { height: auto; max-height: 20; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back", show=False)]

    def __init__(self, names: Sequence[str], chosen: str) -> None:
        super().__init__()
        self._counts = Counter(names)
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        """A list of all, the fullest first."""
        with Vertical(classes="dialog--box"):
            yield Static(
                content([line(Span("Namespace", "bold"), Span("  enter chooses, esc leaves it", "dim"))])
            )
            yield RowList(id="namespaces")

    def on_mount(self) -> None:
        """The cursor on the one that is chosen now."""
        names = self.query_one(RowList)
        names.styles.height = min(20, len(self._counts) + 1)
        names.show(self._rows, first=True)
        names.focus()
        self.call_after_refresh(names.go_to, self._chosen or "*")

    def _rows(self, width: int) -> list[Row]:
        pen = cast("HelmguardApp", self.app).pen(Masker(), width)
        digits = len(str(self._counts.total()))
        rows = [Row((line(f"{self._counts.total():>{digits}}  ", Span("all namespaces", "bold")),), "", "*")]
        for name, count in sorted(self._counts.items()):
            spans = line(Span(f"{count:>{digits}}  ", "dim"), pen.text(name))
            rows.append(Row((cut_line(spans, width, pen),), name, name))
        return rows

    def on_row_list_opened(self, event: RowList.Opened) -> None:
        """Chosen."""
        event.stop()
        self.dismiss(event.row.item)

    def action_leave(self) -> None:
        """Not chosen."""
        self.dismiss(None)
