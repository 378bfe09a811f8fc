"""A review's tree with its folds: which rows are seen, and where the next change or hit is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from helmguard.model.plan import Plan
from helmguard.report.page import Pen
from helmguard.report.review_items import FindingDetails, ReviewNode, Section
from helmguard.report.review_nodes import review_nodes
from helmguard.report.review_rows import search_text, sibling_lines
from helmguard.report.styles import Line, Span

_INDENT = 2


class OutlineRow(msgspec.Struct, frozen=True, eq=False):
    """One node that is seen, and its lines."""

    node: ReviewNode
    lines: tuple[Line, ...]


class Outline:
    """The tree of one plan. ``folds`` are the user's choices by node key, and outlive the plan."""

    def __init__(self, plan: Plan, folds: dict[str, bool] | None = None, *, show_noise: bool = False) -> None:
        self.plan = plan
        self.folds: dict[str, bool] = {} if folds is None else folds
        self.roots = review_nodes(plan, show_noise=show_noise)
        self._nodes: list[ReviewNode] = []
        self._at: dict[str, int] = {}
        self._parents: dict[str, str] = {}
        self._add(self.roots, "")
        self._lines: dict[tuple[int, str], list[tuple[Line, ...]]] = {}
        self._texts: list[str] = []

    def _add(self, nodes: Sequence[ReviewNode], parent: str) -> None:
        for node in nodes:
            self._at[node.key] = len(self._nodes)
            self._nodes.append(node)
            self._parents[node.key] = parent
            self._add(node.children, node.key)

    def node(self, key: str) -> ReviewNode | None:
        """The node with this key."""
        return self._nodes[self._at[key]] if key in self._at else None

    def parent(self, key: str) -> ReviewNode | None:
        """What the node stands below."""
        return self.node(self._parents.get(key, ""))

    def is_unfolded(self, node: ReviewNode) -> bool:
        """Whether what is below the node is seen."""
        return self.folds.get(node.key, node.is_open)

    def fold(self, key: str, *, unfolded: bool) -> None:
        """Fold or unfold one node."""
        self.folds[key] = unfolded

    def fold_all(self, *, unfolded: bool) -> None:
        """Unfold everything; or fold all but the sections."""
        for node in self._nodes:
            if node.children and (unfolded or not isinstance(node.item, Section)):
                self.folds[node.key] = unfolded

    def unfold_to(self, key: str) -> None:
        """Unfold all that the node stands below."""
        parent = self._parents.get(key, "")
        while parent:
            node = self.node(parent)
            if node is not None and not self.is_unfolded(node):
                self.folds[parent] = True
            parent = self._parents[parent]

    def unwritten(self, width: int) -> int:
        """How many rows that are seen are not written yet for this width."""
        return sum(len(siblings) for key, _, siblings in self._seen() if (width, key) not in self._lines)

    def rows(self, pen: Pen) -> list[OutlineRow]:
        """The rows that are seen; each set of siblings is written once for a width."""
        written = {key: self._written(key, depth, siblings, pen) for key, depth, siblings in self._seen()}
        rows: list[OutlineRow] = []
        self._collect(self.roots, written[""], written, pen, rows)
        return rows

    def next_change(self, key: str, step: int) -> str | None:
        """The next change that way, around the end, folded or not."""
        for index in self._around(key, step):
            if self._nodes[index].is_change:
                return self._nodes[index].key
        return None

    def next_hit(self, key: str, step: int, needle: str, pen: Pen, *, here: bool = False) -> str | None:
        """The next node that holds the text, around the end, folded or not; ``here``: this one, too."""
        texts, wanted = self._searched(pen), needle.casefold()
        start = self._at.get(key)
        if here and start is not None and wanted in texts[start]:
            return key
        for index in self._around(key, step):
            if wanted in texts[index]:
                return self._nodes[index].key
        return None

    def count_hits(self, needle: str, pen: Pen) -> int:
        """In how many nodes the text stands."""
        return sum(needle.casefold() in text for text in self._searched(pen))

    def _around(self, key: str, step: int) -> Iterator[int]:
        count = len(self._nodes)
        start = self._at.get(key, -1 if step > 0 else count)
        return ((start + step * distance) % count for distance in range(1, count + 1))

    def _searched(self, pen: Pen) -> list[str]:
        if not self._texts:
            self._texts = [search_text(node, pen) for node in self._nodes]
        return self._texts

    def _seen(self) -> Iterator[tuple[str, int, Sequence[ReviewNode]]]:
        """All sets of siblings that are seen: what they stand below, how deep, and themselves."""
        waiting: list[tuple[str, int, Sequence[ReviewNode]]] = [("", 0, self.roots)]
        while waiting:
            key, depth, siblings = waiting.pop()
            yield key, depth, siblings
            waiting += [
                (node.key, depth + 1, node.children)
                for node in siblings
                if node.children and self.is_unfolded(node)
            ]

    def _written(
        self, parent: str, depth: int, siblings: Sequence[ReviewNode], pen: Pen
    ) -> list[tuple[Line, ...]]:
        place = (pen.page.width, parent)
        if place not in self._lines:
            indent = _INDENT * (depth + 1)
            narrow = replace(pen, page=replace(pen.page, width=pen.page.width - indent))
            found = sibling_lines(siblings, self.plan, narrow)
            self._lines[place] = [tuple(lines) for lines in found]
        return self._lines[place]

    def _collect(
        self,
        siblings: Sequence[ReviewNode],
        lines_of: Sequence[tuple[Line, ...]],
        written: dict[str, list[tuple[Line, ...]]],
        pen: Pen,
        rows: list[OutlineRow],
        depth: int = 0,
    ) -> None:
        """Add the rows of these nodes and of what is below them."""
        blanks = " " * (_INDENT * depth)
        rest = Span(blanks + " " * _INDENT)
        signs = {
            True: Span(f"{blanks}{pen.symbols.unfolded} ", "dim"),
            False: Span(f"{blanks}{pen.symbols.folded} ", "dim"),
        }
        for node, lines in zip(siblings, lines_of, strict=True):
            unfolded = bool(node.children) and self.is_unfolded(node)
            first = signs[unfolded] if node.children else rest
            shown = tuple((rest if index else first, *spans) for index, spans in enumerate(lines))
            rows.append(OutlineRow(node, shown))
            if unfolded:
                self._collect(node.children, written[node.key], written, pen, rows, depth + 1)


def is_selectable(node: ReviewNode) -> bool:
    """Whether the cursor stops at the node."""
    return not isinstance(node.item, FindingDetails)
