"""A check of nodes as Markdown: the findings first, then each configuration, folded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from helmguard.masking.masker import Masker
from helmguard.model.node_report import NodeReport
from helmguard.report.config_use import config_texts
from helmguard.report.finding_place import place_text
from helmguard.report.markdown import folded, grave_blocks
from helmguard.report.markdown_text import LONGEST, code, fenced, fitting, prose
from helmguard.report.node_page import node_lines
from helmguard.report.node_plan import plan_of_nodes
from helmguard.report.node_verdict import node_verdict_text
from helmguard.report.notes import is_note
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.styles import to_text
from helmguard.report.unknown import unknown_items

_EMPTY_LINES: Final = re.compile(r"\n{3,}")
_TAIL: Final = 200


def node_markdown(report: NodeReport, masker: Masker) -> str:
    """A comment of at most 65,000 characters; what does not fit is left out from the end, and said so."""
    pen = Pen(Page(width=120), masker)
    text = fitting(_blocks(report, pen), LONGEST - _TAIL, "helmguard node check")
    return _EMPTY_LINES.sub("\n\n", text).rstrip() + "\n"


def _blocks(report: NodeReport, pen: Pen) -> Iterator[str]:
    plan = plan_of_nodes(report)
    yield "### helmguard node check\n"
    yield f"**{prose(node_verdict_text(report))}**\n"
    yield from grave_blocks(
        plan, pen, lambda finding: f"{finding.where.file}:{finding.where.line}" if finding.where.file else ""
    )
    items = [_item(what, why, pen) for what, why in unknown_items(plan)]
    if items:
        yield "\n".join(["#### Unknown", "", *items, ""])
    informs = [
        f"- {code(pen.text(place_text(one)).text)}: {prose(pen.prose(one.title).text)} ({code(one.rule)})"
        for one in report.findings
        if is_note(one, pen)
    ]
    informs += [f"- {prose(pen.prose(note).text)}" for note in report.notes]
    if informs:
        yield folded(plural(len(informs), "note"), informs)
    disabled = [f"- {prose(pen.prose(text).text)}" for text in config_texts(plan)]
    if disabled:
        yield "\n".join(["#### Configuration", "", *disabled, ""])
    if report.nodes:
        lines = to_text(node_lines(report, pen), colour=False).strip("\n").split("\n")
        title = "1 node" if len(report.nodes) == 1 else f"{len(report.nodes)} nodes"
        yield folded(f"Effective configuration of {title}", [fenced(lines)])


def _item(what: str, why: str, pen: Pen) -> str:
    return f"- {code(pen.text(what).text)}: {prose(pen.prose(why).text)}"
