"""The history of a release as Markdown, for a ticket or a chat."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.revision_changes import ReleaseHistory
from helmguard.report.history_page import history_lines
from helmguard.report.markdown_text import LONGEST, code, fenced, fitting
from helmguard.report.page import Page, Pen
from helmguard.report.styles import to_text


def history_markdown(history: ReleaseHistory, masker: Masker) -> str:
    """A heading, and the page in a block."""
    text = to_text(history_lines(history, Pen(Page(width=120), masker)), colour=False)
    blocks = [
        f"### helmguard: history of {code(history.name)} in {code(history.namespace)}\n",
        fenced(text.rstrip("\n").split("\n")) + "\n",
    ]
    return fitting(blocks, LONGEST, "helmguard history")
