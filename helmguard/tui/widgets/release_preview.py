"""What a release's revisions are, beside the list in which the cursor rests on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from helmguard.report.time_line_rows import release_headline
from helmguard.tui.sources.source import OpenRelease
from helmguard.tui.styled import content
from helmguard.tui.widgets.time_line import TimeLine

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp


class ReleasePreview(Vertical):
    """A headline and the time line; nothing in it takes the focus."""

    DEFAULT_CSS = """
    ReleasePreview { height: 1fr; }
    ReleasePreview > Static { height: 1; padding: 0 2; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._headline = Static()
        self._time_line = TimeLine()
        self._time_line.can_focus = False

    def compose(self) -> ComposeResult:
        """Two parts."""
        yield self._headline
        yield self._time_line

    def show(self, opened: OpenRelease, now: str) -> None:
        """Another release; the preview is in sight by now, or will be after the next refresh."""
        self._time_line.show_history(opened.shown, now, opened.masker(), first=True)
        self.call_after_refresh(self._show_headline, opened)

    def _show_headline(self, opened: OpenRelease) -> None:
        pen = cast("HelmguardApp", self.app).pen(opened.masker(), self.size.width - 4)
        self._headline.update(content([release_headline(opened.shown, pen)]))
