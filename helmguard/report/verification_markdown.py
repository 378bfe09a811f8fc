"""A verification as Markdown, for a ticket or a chat: what a cluster holds cannot break out of it."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.verification import Verification
from helmguard.report.markdown_text import LONGEST, code, fenced, fitting, prose
from helmguard.report.page import Page, Pen
from helmguard.report.styles import to_text
from helmguard.report.verification_page import verification_lines
from helmguard.report.verification_verdict import verification_verdict


def verification_markdown(verification: Verification, masker: Masker) -> str:
    """Heading, verdict and the page in a code block."""
    name, namespace = code(verification.release), code(verification.namespace)
    pen = Pen(Page(width=120), masker)
    verdict = pen.escape("".join(span.text for span in verification_verdict(verification)))
    text = to_text(verification_lines(verification, pen), colour=False)
    blocks = [
        f"### helmguard: verification of {name} in {namespace}\n",
        f"**{prose(verdict)}**\n",
        fenced(text.rstrip("\n").split("\n")) + "\n",
    ]
    return fitting(blocks, LONGEST, "helmguard verify")
