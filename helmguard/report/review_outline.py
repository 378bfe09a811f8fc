"""A review's tree with its folds: which rows are seen, and where the next change or hit is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import msgspec
from msgspec.structs import replace

from helmguard.model.finding import Finding
from helmguard.model.plan import Plan
from helmguard.model.prediction import Failure
from helmguard.report.page import Pen
from helmguard.report.review_items import FindingDetails, ReviewNode, Section, SeverityGroup
from helmguard.report.review_nodes import review_nodes
from helmguard.report.review_rows import search_text, sibling_lines
from helmguard.report.styles import Line, Span

_INDENT = 2
_WRAPPED = 400
"""With more nodes each has one line, cut at the edge, and is written only when it is looked at."""
_CHUNK = 50
"""So many siblings are written, and aligned, at once."""


class OutlineRow(msgspec.Struct, frozen=True, eq=False):
    """One node that is seen, and its lines."""

    node: ReviewNode
    lines: Sequence[Line]


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
        self._lines: dict[tuple[int, str, int], list[tuple[Line, ...]]] = {}
        self._texts: list[str] = []

    def _add(self, nodes: Sequence[ReviewNode], parent: str) -> None:
        for node in nodes:
            self._at[node.key] = len(self._nodes)
            self._nodes.append(node)
            self._parents[node.key] = parent
            self._add(node.children, node.key)

    def walk(self) -> Iterator[ReviewNode]:
        """All nodes, folded or not, in their order."""
        return iter(self._nodes)

    def node(self, key: str) -> ReviewNode | None:
        """The node with this key."""
        return self._nodes[self._at[key]] if key in self._at else None

    def parent(self, key: str) -> ReviewNode | None:
        """What the node stands below."""
        return self.node(self._parents.get(key, ""))

    def is_unfolded(self, node: ReviewNode) -> bool:
        """Whether what is below the node is seen."""
        return self.folds.get(node.key, node.is_open)

    @property
    def first(self) -> str:
        """Where a reader begins: at what fails, or the gravest finding to decide about, else at the top."""
        found = next((node.key for node in self._nodes if _needs_decision(node)), "")
        return found or self._nodes[0].key

    def first_in(self, key: str) -> str:
        """The first thing that a section holds, below the headings of groups; itself where it is empty."""
        node = self.node(key)
        while node is not None and node.children and isinstance(node.item, (Section, SeverityGroup)):
            node = node.children[0]
        return key if node is None else node.key

    def fold(self, key: str, *, unfolded: bool) -> None:
        """Fold or unfold one node."""
        self.folds[key] = unfolded

    def fold_all(self, *, unfolded: bool) -> None:
        """Unfold everything; or fold all but the sections."""
        for node in self._nodes:
            if node.children and (unfolded or not isinstance(node.item, Section)):
                self.folds[node.key] = unfolded

    def unfold_to(self, key: str) -> bool:
        """Unfold all that the node stands below; False where it is unfolded already."""
        changed = False
        above = self.parent(key)
        while above is not None:
            if not self.is_unfolded(above):
                self.folds[above.key] = changed = True
            above = self.parent(above.key)
        return changed

    def seen_from(self, key: str) -> str:
        """The node itself, or the outermost folded one that hides it."""
        found, above = key, self.parent(key)
        while above is not None:
            if not self.is_unfolded(above):
                found = above.key
            above = self.parent(above.key)
        return found

    @property
    def is_wrapped(self) -> bool:
        """Whether rows have as many lines as they need."""
        return len(self._nodes) <= _WRAPPED

    def rows(self, pen: Pen) -> list[OutlineRow]:
        """The rows that are seen."""
        rows: list[OutlineRow] = []
        self._collect(self.roots, "", 0, pen, rows)
        return rows

    def prepare_search(self, pen: Pen) -> None:
        """Make the texts that a search looks in: of a large plan not while somebody waits."""
        if not self._texts:
            self._texts = [search_text(node, pen) for node in self._nodes]

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
        self.prepare_search(pen)
        return self._texts

    def _collect(
        self, siblings: Sequence[ReviewNode], parent: str, depth: int, pen: Pen, rows: list[OutlineRow]
    ) -> None:
        """Add the rows of these nodes and of what is below them."""
        blanks = " " * (_INDENT * depth)
        rest = Span(blanks + " " * _INDENT)
        signs = {
            True: Span(f"{blanks}{pen.symbols.unfolded} ", "dim"),
            False: Span(f"{blanks}{pen.symbols.folded} ", "dim"),
        }
        place = _Place(self, siblings, parent, depth, pen)
        wrapped = self.is_wrapped
        for index, node in enumerate(siblings):
            unfolded = bool(node.children) and self.is_unfolded(node)
            first = signs[unfolded] if node.children else rest
            lines: Sequence[Line] = (
                tuple((rest if at else first, *spans) for at, spans in enumerate(self.written(place, index)))
                if wrapped
                else _OneLine(place, index, first)
            )
            rows.append(OutlineRow(node, lines))
            if unfolded:
                self._collect(node.children, node.key, depth + 1, pen, rows)

    def written(self, place: _Place, index: int) -> tuple[Line, ...]:
        """The lines of one of the siblings, without what stands before them."""
        chunk, at = divmod(index, _CHUNK)
        key = (place.pen.page.width, place.parent, chunk)
        if key not in self._lines:
            width = place.pen.page.width - _INDENT * (place.depth + 1)
            narrow = replace(place.pen, page=replace(place.pen.page, width=width))
            siblings = place.siblings[chunk * _CHUNK : (chunk + 1) * _CHUNK]
            self._lines[key] = [tuple(lines) for lines in sibling_lines(siblings, self.plan, narrow)]
        return self._lines[key][at]


class _Place:
    """Siblings that are seen, and how wide."""

    __slots__ = ("depth", "outline", "parent", "pen", "siblings")

    def __init__(
        self, outline: Outline, siblings: Sequence[ReviewNode], parent: str, depth: int, pen: Pen
    ) -> None:
        self.outline = outline
        self.siblings = siblings
        self.parent = parent
        self.depth = depth
        self.pen = pen


class _OneLine(Sequence[Line]):
    """The one line of a node, written when it is looked at."""

    __slots__ = ("_first", "_index", "_place")

    def __init__(self, place: _Place, index: int, first: Span) -> None:
        self._place = place
        self._index = index
        self._first = first

    def __len__(self) -> int:
        return 1

    @overload
    def __getitem__(self, index: int) -> Line: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...

    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        if isinstance(index, slice):
            return [self._line()][index]
        if index not in (0, -1):
            raise IndexError(index)
        return self._line()

    def _line(self) -> Line:
        lines = self._place.outline.written(self._place, self._index)
        if len(lines) == 1:
            return (self._first, *lines[0])
        return (self._first, *lines[0], Span(f" {self._place.pen.symbols.ellipsis}", "dim"))


def _needs_decision(node: ReviewNode) -> bool:
    item = node.item
    if isinstance(item, Finding):
        return item.severity != "info" and item.waived is None
    return isinstance(item, Failure)


def is_selectable(node: ReviewNode) -> bool:
    """Whether the cursor stops at the node."""
    return not isinstance(node.item, FindingDetails)
