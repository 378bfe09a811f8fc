"""What is wrong with a field, below it: not there while nothing is."""

from __future__ import annotations

from textual.widgets import Static

from helmguard.errors import HelmguardError
from helmguard.report.escaping import escape_text
from helmguard.report.styles import Span
from helmguard.tui.styled import content


class Trouble(Static):
    """Empty or an error in words."""

    DEFAULT_CSS = """
    Trouble { height: auto; display: none; }
    Trouble.-some { display: block; }
    """

    def say(self, trouble: HelmguardError | str) -> None:
        """Show it, or nothing for an empty text."""
        text = trouble if isinstance(trouble, str) else f"{trouble.message}\n{trouble.remedy}".rstrip()
        lines = [(Span(part, "bad" if index == 0 else ""),) for index, part in enumerate(_lines(text))]
        self.update(content(lines))
        self.set_class(bool(text), "-some")


def _lines(text: str) -> list[str]:
    return escape_text(text).splitlines()
