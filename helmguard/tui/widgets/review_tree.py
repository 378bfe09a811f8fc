"""The foldable tree of a review."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from helmguard.report.review_items import ReviewNode
from helmguard.tui.widgets.row_list import RowList

_LOOKED_AT = 400


class ReviewTree(RowList):
    """Rows whose items are the nodes; says what is to be folded, and knows nothing of the folds."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "fold('toggle')", "Fold", show=False),
        Binding("right", "fold('unfold')", "Unfold", show=False),
        Binding("left", "fold('fold')", "Fold", show=False),
        Binding("asterisk", "fold_all(True)", "Unfold all", key_display="*", show=False),
        Binding("minus", "fold_all(False)", "Fold all", key_display="-", show=False),
        Binding("shift+right", "sideways(8)", "Scroll right", show=False),
        Binding("shift+left", "sideways(-8)", "Scroll left", show=False),
    ]

    class FoldAsked(Message):
        """``how`` is ``toggle``, ``fold`` or ``unfold``."""

        def __init__(self, node: ReviewNode, how: str) -> None:
            super().__init__()
            self.node = node
            self.how = how

    class FoldAllAsked(Message):
        """All nodes at once."""

        def __init__(self, unfolded: bool) -> None:
            super().__init__()
            self.unfolded = unfolded

    @property
    def node(self) -> ReviewNode | None:
        """The node under the cursor."""
        node = self.row.item if self.row is not None else None
        return node if isinstance(node, ReviewNode) else None

    def widest(self) -> int:
        """As wide as what is seen is enough where there are many rows: those are cut, and not written yet."""
        return super().widest() if len(self.rows) <= _LOOKED_AT else self.scrollable_content_region.width - 2

    def action_fold(self, how: str) -> None:
        """Ask for it."""
        if self.node is not None:
            self.post_message(self.FoldAsked(self.node, how))

    def action_fold_all(self, unfolded: bool) -> None:
        """Ask for it."""
        self.post_message(self.FoldAllAsked(unfolded))

    def on_click(self, event: events.Click) -> None:
        """A click on the sign of a fold folds."""
        index = self.index_at(event.y)
        if index >= len(self.rows) or event.chain > 1:
            return
        row = self.rows[index]
        text = "".join(span.text for span in row.lines[0])
        sign = len(text) - len(text.lstrip())
        node = row.item
        if isinstance(node, ReviewNode) and node.children and event.x + self.scroll_offset.x - 2 <= sign:
            self.post_message(self.FoldAsked(node, "toggle"))
