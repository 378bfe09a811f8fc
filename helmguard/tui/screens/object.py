"""One object as a whole: its fields in four states, its YAML side by side, who owns its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import ContentSwitcher, Footer, Static

from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.item_detail import field_table, object_why
from helmguard.report.layout import wrapped
from helmguard.report.managers import manager_lines
from helmguard.report.objects import object_head
from helmguard.report.page import Pen
from helmguard.report.side_by_side import SideText, side_text
from helmguard.report.side_documents import (
    document_rows,
    names_of,
    side_document,
    text_of,
)
from helmguard.report.styles import EMPTY, Line
from helmguard.tui.screens.sides import SidesScreen
from helmguard.tui.styled import content
from helmguard.tui.widgets.detail import DetailPane
from helmguard.tui.widgets.search_bar import SearchBar
from helmguard.tui.widgets.side_by_side import SideBySide
from helmguard.tui.widgets.stage import Stage
from helmguard.tui.widgets.title_bar import TitleBar

_HEAD_LINES = 3
_OF_FIELDS = ("all_fields", "managers", "search", "next_hit")
_FIELDS, _YAML, _MANAGERS = "object-fields", "object-yaml", "object-managers"


class ObjectScreen(SidesScreen):
    """``resource`` is one of the plan's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "yaml", "YAML"),
        Binding("b", "other_sides", "Sides", tooltip="Live and after, or the two manifests"),
        Binding("a", "all_fields", "All fields"),
        Binding("M", "managers", "Managers"),
        Binding("c", "copy", "Copy"),
        Binding("slash", "search", "Search", key_display="/", show=False),
        Binding("n", "next_hit(1)", "Next hit", show=False),
        Binding("N", "next_hit(-1)", "Previous hit", show=False),
        Binding("escape", "back", "Back"),
        Binding("x", "reveal", "Reveal secrets", show=False),
        Binding("ctrl+r", "again", "Try again", show=False),
    ]
    DEFAULT_CSS = """
    ObjectScreen > #object-head { height: auto; max-height: 3; background: $boost; padding: 0 1; }
    ObjectScreen ContentSwitcher { height: 1fr; }
    """

    def __init__(self, plan: Plan, resource: ResourceChange, masker: Masker) -> None:
        super().__init__(plan, masker, "cluster")
        self._resource = resource
        self._all_fields = False
        self.title = str(resource.prediction.key)

    def compose(self) -> ComposeResult:
        """What happens to it; below, one of three views."""
        yield TitleBar()
        yield Static(id="object-head")
        with ContentSwitcher(initial=_FIELDS):
            yield DetailPane(id=_FIELDS)
            yield Stage(SideBySide(id="side-by-side"), id=_YAML)
            yield DetailPane(id=_MANAGERS)
        yield SearchBar("search the fields", id="object-search")
        yield Footer()

    def on_mount(self) -> None:
        """Show the fields."""
        self.show_again()
        self.query_one(f"#{_FIELDS}", DetailPane).focus()

    def on_resize(self) -> None:
        """The head is as wide as the screen."""
        self._show_head()

    def show_again(self) -> None:
        """Everything anew; the YAML only where it is looked at."""
        self._show_head()
        self._read(_FIELDS, self._fields)
        self._read(_MANAGERS, lambda pen: list(manager_lines(self._resource, pen)))
        if self._view == _YAML:
            self._show_yaml()

    def _fields(self, pen: Pen) -> list[Line]:
        why = list(object_why(self._resource, self.plan, pen))
        table = field_table(self._resource, self.plan, pen, self._all_fields)
        return [*why, *([EMPTY] if why else []), *table]

    @property
    def _view(self) -> str:
        found = self.query(ContentSwitcher)
        return (found.first().current if found else None) or _FIELDS

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        """What belongs to the fields is not offered beside their YAML."""
        return self._view != _YAML if action in _OF_FIELDS else True

    def action_yaml(self) -> None:
        """The whole object on two sides, or back to its fields."""
        if self._view == _YAML:
            self._switch(_FIELDS)
        else:
            self.show_sides()

    def show_sides(self) -> None:
        """The whole object."""
        self._switch(_YAML)
        self._show_yaml()

    def action_again(self) -> None:
        """Lay out the YAML once more, as an error there says."""
        if self._view == _YAML:
            self._show_yaml()

    def action_all_fields(self) -> None:
        """Every field that a manifest declares, or only those that are not as they were."""
        self._all_fields = not self._all_fields
        self._switch(_FIELDS)
        self.show_again()

    def action_managers(self) -> None:
        """Who owns which fields, or back."""
        self._switch(_FIELDS if self._view == _MANAGERS else _MANAGERS)

    def action_search(self) -> None:
        """Type what to search for in the fields or managers; beside the YAML, its own line does that."""
        self.query_one("#object-search", SearchBar).open()

    def on_search_bar_changed(self, event: SearchBar.Changed) -> None:
        """Mark it, and go to the next."""
        if isinstance(event, SearchBar.Kept) or self._view == _YAML:
            return
        pane = self.query_one(f"#{self._view}", DetailPane)
        pane.needle = event.text
        found = pane.next_hit(1) if event.text else True
        event.search_bar.tell("" if found else "not found")

    def action_next_hit(self, step: int) -> None:
        """Around the end."""
        self.query_one(f"#{self._view}", DetailPane).next_hit(step)

    def action_copy(self) -> None:
        """The object after Helm, or what the new manifest says, as it is shown."""
        document = side_document(self._resource, self.sides)
        name = names_of(self.plan, self.sides)[0 if document.right is None else 1]
        body = document.right or document.left
        if body is None:
            self.notify("There is nothing to copy.", timeout=3)
            return
        self.copy(text_of(body, self.pen(200)), f"The object's YAML ({name})")

    def action_back(self) -> None:
        """Clear the search, else back to the fields, else leave."""
        if self.query_one("#object-search", SearchBar).clear():
            return
        if self._view != _FIELDS:
            self.cancel_work("yaml")
            self._switch(_FIELDS)
        else:
            self.app.pop_screen()

    def _switch(self, view: str) -> None:
        self.query_one("#object-search", SearchBar).clear()
        self.query_one(ContentSwitcher).current = view
        self.refresh_bindings()
        if view == _YAML:
            self.query_one(SideBySide).side_list.focus()
        else:
            self.query_one(f"#{view}", DetailPane).focus()

    def _show_head(self) -> None:
        width = max(40, self.size.width - 2)
        lines = wrapped(object_head(self._resource, self.plan, self.pen(width)), width, 4)
        self.query_one("#object-head", Static).update(content(lines[:_HEAD_LINES]))

    def _read(self, view: str, lines: Callable[[Pen], list[Line]]) -> None:
        self.query_one(f"#{view}", DetailPane).read(lambda width: lines(self.pen(width)))

    def _show_yaml(self) -> None:
        document, pen = side_document(self._resource, self.sides), self.pen(200)
        names = names_of(self.plan, self.sides)
        stage = self.query_one(f"#{_YAML}", Stage)

        def done(text: SideText) -> None:
            stage.ready()
            view = self.query_one(SideBySide)
            view.show_text(text, names)
            if self._view == _YAML:
                view.side_list.focus()

        self.work(
            lambda _: side_text(document_rows(document, pen)),
            done,
            stage=stage,
            what="laying out",
            group="yaml",
        )
