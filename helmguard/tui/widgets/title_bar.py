"""The first line of every screen: where one is, and whether anything can be changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget

from helmguard.report.display_width import display_width
from helmguard.report.escaping import escape_line

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp

REVIEW_MODE = "review mode"
CHANGES_ALLOWED = "CHANGES ALLOWED"
_NAME = "helmguard"


class TitleBar(Widget):
    """``helmguard - kind-prod - releases - shop/web      review mode``; the way from the cluster to here is
    cut first, and the mode never.

    The names are the titles of the screens below each other; a screen sets its own ``title``.
    """

    DEFAULT_CSS = """
    TitleBar { dock: top; height: 1; background: $panel; color: $foreground; }
    """

    def on_mount(self) -> None:
        """Follow the screen's title."""
        self.watch(self.screen, "title", self._other_title, init=False)

    def render(self) -> Content:
        """One line."""
        app = cast("HelmguardApp", self.app)
        mode = CHANGES_ALLOWED if app.options.allow_changes and app.source.can_execute else REVIEW_MODE
        style = "bold $text on $warning-muted" if mode == CHANGES_ALLOWED else "$text-muted"
        separator, ellipsis = (" ─ ", "…") if app.unicode else (" - ", "...")
        room = max(0, self.size.width - len(mode) - len(_NAME) - 4)
        label, *titles = (escape_line(name, ascii_only=not app.unicode) for name in self._way())
        start = separator + _cut_left(label, max(12, room // 2), ellipsis)
        while len(titles) > 1 and display_width(start + separator.join(("", *titles))) > room:
            titles = [ellipsis, *titles[2 if titles[0] == ellipsis else 1 :]]
        left = start + _cut_left(separator.join(("", *titles)), room - display_width(start), ellipsis)
        blanks = " " * (room - display_width(left))
        return Content.assemble(" ", (_NAME, "bold"), left, blanks, " ", (f" {mode} ", style))

    def _other_title(self) -> None:
        self.refresh()

    def _way(self) -> list[str]:
        """The cluster, and the screens from the first to this one."""
        titles = [cast("HelmguardApp", self.app).source.label]
        for screen in self.app.screen_stack:
            if screen.title and not isinstance(screen, ModalScreen):
                titles.append(screen.title)
            if screen is self.screen:
                break
        return titles


def _cut_left(text: str, width: int, ellipsis: str) -> str:
    """The end of the text: where one is matters more than how one came there."""
    if display_width(text) <= width:
        return text
    if width <= len(ellipsis):
        return ellipsis[: max(0, width)]
    rest = text
    while display_width(rest) > width - len(ellipsis):
        rest = rest[1:]
    return ellipsis + rest
