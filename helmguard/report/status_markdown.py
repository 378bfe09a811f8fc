"""The state of a release as Markdown, for a ticket or a chat."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.release_state import ReleaseState
from helmguard.report.markdown_text import LONGEST, code, fenced, fitting, prose
from helmguard.report.page import Page, Pen
from helmguard.report.status_page import status_lines
from helmguard.report.status_verdict import status_verdict
from helmguard.report.styles import to_text


def status_markdown(state: ReleaseState, masker: Masker) -> str:
    """A heading, the verdict, and the page in a block."""
    text = to_text(status_lines(state, Pen(Page(width=120), masker)), colour=False)
    verdict = "".join(span.text for span in status_verdict(state))
    blocks = [
        f"### helmguard: status of {code(state.name)} in {code(state.namespace)}\n",
        f"**{prose(verdict)}**\n",
        fenced(text.rstrip("\n").split("\n")) + "\n",
    ]
    return fitting(blocks, LONGEST, "helmguard status")
