"""The first lines of a plan's screen: what it amounts to, or what is being done about it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.widgets import Static

from helmguard.report.escaping import escape_line
from helmguard.report.styles import Line, Span
from helmguard.tui.styled import content


class VerdictLine(Static):
    """The verdict, and below it remarks, or what is going on in their place."""

    DEFAULT_CSS = """
    VerdictLine { height: auto; max-height: 5; padding: 0 1; background: $panel; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: list[Line] = []
        self._busy = ""

    def show(self, lines: Sequence[Line]) -> None:
        """Show a plan's verdict and remarks."""
        self._lines, self._busy = list(lines), ""
        self._draw()

    def busy(self, what: str, progress: str = "") -> None:
        """Say that another plan is being made; the verdict of the old one stays."""
        unicode = bool(getattr(self.app, "unicode", True))
        told = escape_line(f"{what}: {progress}" if progress else what, ascii_only=not unicode)
        self._busy = f"{told}{'…' if unicode else '...'}  (esc cancels)"
        self._draw()

    def _draw(self) -> None:
        below = [(Span(self._busy, "warning"),)] if self._busy else self._lines[1:]
        self.update(content([*self._lines[:1], *below]))
