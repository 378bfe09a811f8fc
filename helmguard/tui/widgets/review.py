"""One plan, comparison or drift to look through: a tree, and beside or below it what is read of an item."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from helmguard.masking.masker import Masker
from helmguard.model.finding import Finding
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.item_detail import detail_lines
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.review_items import ReviewNode, item_of, object_of
from helmguard.report.review_outline import Outline, is_selectable
from helmguard.report.styles import Line
from helmguard.tui.styled import content
from helmguard.tui.widgets.detail import DetailPane
from helmguard.tui.widgets.review_tree import ReviewTree
from helmguard.tui.widgets.row_list import Row, RowList
from helmguard.tui.widgets.search_bar import SearchBar

_WIDE = 120
"""From so many columns on the two panes stand side by side."""
_AT_ONCE = 500
"""Objects and fields whose tree is made without being felt; larger ones are made in the background."""


class Review(Container):
    """Shows a plan. Whoever holds it hears what was opened and decides what that means."""

    DEFAULT_CSS = """
    Review { height: 1fr; width: 1fr; layout: vertical; }
    Review > .review--title { height: auto; display: none; background: $boost; padding: 0 1; }
    Review.-titled > .review--title { display: block; }
    Review > .review--panes { height: 1fr; layout: vertical; }
    Review.-wide > .review--panes { layout: horizontal; }
    Review ReviewTree { height: 1fr; width: 1fr; }
    Review DetailPane { height: 48%; min-height: 6; max-height: 16; width: 1fr;
                        border-top: solid $primary 40%; }
    Review.-wide DetailPane { height: 1fr; max-height: 100%; width: 1fr; border-top: none;
                              border-left: solid $primary 40%; }
    .-ascii Review DetailPane { border-top: ascii $primary 40%; }
    .-ascii Review.-wide DetailPane { border-top: none; border-left: ascii $primary 40%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next_change(1)", "Next"),
        Binding("N", "next_change(-1)", "Previous change", show=False),
        Binding("escape", "clear_search", "Clear the search", show=False),
        Binding("slash", "search", "Search", key_display="/"),
        Binding("full_stop", "switch_noise", "Noise", key_display=".", show=False),
    ]

    class ObjectOpened(Message):
        """An object, or one of its fields, was chosen."""

        def __init__(self, resource: ResourceChange) -> None:
            super().__init__()
            self.resource = resource

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._plan: Plan | None = None
        self._masker = Masker()
        self._outline: Outline | None = None
        self._folds: dict[str, bool] = {}
        self._release: tuple[str, str] = ("", "")
        self._rules: dict[str, str] = {}
        self._needle = ""
        self._origin = ""
        self._go_to = ""
        self._begins = False
        self.show_noise = False

    def compose(self) -> ComposeResult:
        """Title, tree, detail, and the line for a search."""
        yield Static(classes="review--title")
        with Container(classes="review--panes"):
            yield ReviewTree(id="review-tree")
            yield DetailPane(id="review-detail")
        yield SearchBar("search names and paths", id="review-search")

    def on_mount(self) -> None:
        """The rules' summaries are read once, in the background."""
        self.run_worker(self._read_rules, thread=True, group="rules", exit_on_error=False)

    def on_resize(self, event: events.Resize) -> None:
        """Side by side where there is room."""
        self.set_class(event.size.width >= _WIDE, "-wide")

    @property
    def tree_list(self) -> ReviewTree:
        """The tree."""
        return self.query_one(ReviewTree)

    @property
    def plan(self) -> Plan | None:
        """What is shown."""
        return self._plan

    @property
    def selected(self) -> Any:
        """What is under the cursor: a finding, a value's change, an object, one of its fields, ..."""
        return item_of(self.tree_list.node)

    def show(self, plan: Plan, masker: Masker, *, title: Line = ()) -> None:
        """Show another plan; of the same release, the cursor and the folds stay."""
        release = (plan.release.namespace, plan.release.name)
        if release != self._release:
            self._folds = {}
        same, self._release = release == self._release, release
        self._plan, self._masker = plan, masker
        self.set_class(bool(title), "-titled")
        self.query_one(".review--title", Static).update(content([title]) if title else Content(""))
        self._build(first=not same)

    def go_to(self, section: str) -> None:
        """Put the cursor on the first thing in a section, and unfold what hides it."""
        outline = self._outline
        if outline is None:
            self._go_to = section
            return
        if section == "objects" and outline.plan.operation == "drift":
            section = "drift"
        if outline.node(section) is None:
            self.app.notify(f"There are no {section} here.", timeout=4)
            return
        first = outline.first_in(section)
        outline.unfold_to(first)
        self._refresh(first)
        self.tree_list.focus()

    def next_change(self, step: int) -> None:
        """To the next hit of the search, or the next change; what it stands below is unfolded."""
        outline = self._outline
        if outline is None:
            return
        at = self.tree_list.row.key if self.tree_list.row is not None else ""
        if self._needle:
            found = outline.next_hit(at, step, self._needle, self._pen(80))
        else:
            found = outline.next_change(at, step)
        if found is None:
            self.app.notify("Nothing found." if self._needle else "There is no change.", timeout=3)
        else:
            self._reveal(found)

    def action_next_change(self, step: int) -> None:
        """n and N."""
        self.next_change(step)

    def action_search(self) -> None:
        """Open the line."""
        self._origin = self.tree_list.row.key if self.tree_list.row is not None else ""
        self.query_one(SearchBar).open()

    def action_switch_noise(self) -> None:
        """Show what is otherwise only counted, or count it again."""
        self.show_noise = not self.show_noise
        self._build(first=False)

    def on_search_bar_changed(self, event: SearchBar.Changed) -> None:
        """The first hit from where the search began; of no search, back to there."""
        event.stop()
        if isinstance(event, SearchBar.Kept):
            return
        self._search(event.text)

    def clear_search(self) -> bool:
        """Search for nothing any more; False where nothing was searched for."""
        return self.query_one(SearchBar).clear()

    def action_clear_search(self) -> None:
        """Esc, while something is searched for."""
        self.clear_search()

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        """Esc is the screen's where nothing is searched for."""
        return bool(self._needle) if action == "clear_search" else True

    def on_review_tree_fold_asked(self, event: ReviewTree.FoldAsked) -> None:
        """Fold or unfold; where that is done already, go to what is below or above."""
        event.stop()
        outline, node = self._outline, event.node
        if outline is None:
            return
        unfolded = bool(node.children) and outline.is_unfolded(node)
        if event.how == "fold" and not unfolded:
            above = outline.parent(node.key)
            if above is not None:
                self.tree_list.go_to(above.key)
        elif event.how == "unfold" and unfolded:
            self.tree_list.action_move(1)
        elif node.children:
            outline.fold(node.key, unfolded=not unfolded)
            self._refresh(node.key)

    def on_review_tree_fold_all_asked(self, event: ReviewTree.FoldAllAsked) -> None:
        """All at once."""
        event.stop()
        if self._outline is None:
            return
        at = self.tree_list.row.key if self.tree_list.row is not None else ""
        self._outline.fold_all(unfolded=event.unfolded)
        self._refresh(self._outline.seen_from(at))

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        """Tell about what is under the cursor."""
        event.stop()
        if event.row_list is self.tree_list:
            self._tell()

    def on_row_list_opened(self, event: RowList.Opened) -> None:
        """An object is opened; anything else is folded or unfolded."""
        event.stop()
        node = event.row.item
        if event.row_list is not self.tree_list or not isinstance(node, ReviewNode):
            return
        found = object_of(item_of(node))
        if found is not None:
            self.post_message(self.ObjectOpened(found))
        elif node.children:
            self.tree_list.action_fold("toggle")

    def _build(self, *, first: bool) -> None:
        """Make the tree of the plan: large ones in the background."""
        plan, noise = self._plan, self.show_noise
        if plan is None:
            return
        if sum(1 + len(item.changes) for item in plan.resources) <= _AT_ONCE:
            self._show(Outline(plan, self._folds, show_noise=noise), first=first)
            return
        pen = self._pen(80)

        def run() -> None:
            outline = Outline(plan, self._folds, show_noise=noise)
            outline.prepare_search(pen)
            self.app.call_from_thread(self._show_if, plan, noise, outline, first)

        self.run_worker(run, thread=True, group="review", exclusive=True)

    def _show_if(self, plan: Plan, noise: bool, outline: Outline, first: bool) -> None:
        """Show it if it is still wanted."""
        if plan is self._plan and noise == self.show_noise and self.is_attached:
            self._show(outline, first=first)

    def _show(self, outline: Outline, *, first: bool) -> None:
        self._outline = outline
        if first:
            self._needle = self.tree_list.needle = ""
        self._begins = first
        self.tree_list.show(self._layout, first=first)
        self._tell()
        if self._go_to:
            section, self._go_to = self._go_to, ""
            self.go_to(section)

    def _begin(self, outline: Outline) -> None:
        """Put the cursor where a reader begins, unless it was moved meanwhile."""
        if outline is self._outline and self.tree_list.cursor == 0:
            self.tree_list.go_to(outline.seen_from(outline.first))

    def _layout(self, width: int) -> list[Row]:
        """The rows for a width."""
        if self._outline is None:
            return []
        if self._begins:
            # Not before the list has its size, and these rows.
            self._begins = False
            self.call_later(self._begin, self._outline)
        return [
            Row(row.lines, row.node, row.node.key, selectable=is_selectable(row.node))
            for row in self._outline.rows(self._pen(width))
        ]

    def _refresh(self, key: str) -> None:
        """Show the tree with its folds as they are now, the cursor on a node."""
        self.tree_list.show(self._layout)
        if key:
            self.tree_list.go_to(key)

    def _reveal(self, key: str) -> None:
        """Put the cursor on a node, and unfold what hides it."""
        if self._outline is not None and self._outline.unfold_to(key):
            self._refresh(key)
        else:
            self.tree_list.go_to(key)

    def _search(self, text: str) -> None:
        outline = self._outline
        self._needle = self.tree_list.needle = text
        if outline is None:
            return
        if not text:
            self.query_one(SearchBar).tell("")
            return
        pen = self._pen(80)
        self.query_one(SearchBar).tell(plural(outline.count_hits(text, pen), "hit"))
        found = outline.next_hit(self._origin, 1, text, pen, here=True)
        if found is not None:
            self._reveal(found)

    def _tell(self) -> None:
        """Write the detail of what is under the cursor."""
        plan, node = self._plan, self.tree_list.node
        if plan is None or node is None:
            return
        item = node.item
        rule = self._rules.get(item.rule, "") if isinstance(item, Finding) else ""
        self.query_one(DetailPane).read(lambda width: detail_lines(item, plan, self._pen(width), rule))

    def _pen(self, width: int) -> Pen:
        from helmguard.tui.app import HelmguardApp

        app = self.app
        assert isinstance(app, HelmguardApp)
        return app.pen(self._masker, width, noise=self.show_noise)

    def _read_rules(self) -> None:
        """The summaries of the rules that ship with helmguard."""
        from helmguard.rules.packs import builtin_packs

        found = {rule.id: rule.summary for pack in builtin_packs() for rule in pack.rules}
        self.app.call_from_thread(self._rules_read, found)

    def _rules_read(self, found: dict[str, str]) -> None:
        """Tell them of a finding that is shown, unless it is being read already."""
        self._rules = found
        if self.is_attached and self.query_one(DetailPane).scroll_offset.y == 0:
            self._tell()
