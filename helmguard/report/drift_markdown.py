"""Drift as Markdown, for a ticket or a chat: what a cluster holds cannot break out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan
from helmguard.report.drift_overview import overview_verdict, shown_rows, table_cells
from helmguard.report.drift_page import drift_lines
from helmguard.report.drift_rows import DriftRow
from helmguard.report.drift_verdict import drift_verdict
from helmguard.report.markdown_text import LONGEST, code, fenced, fitting, prose
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.styles import Line, to_text

_TAIL = 200


def drift_markdown(plan: Plan, masker: Masker) -> str:
    """One release."""
    release = plan.release
    head = f"### helmguard: drift of {code(release.name)} in {code(release.namespace)}\n"
    return _fitting([head, f"**{prose(_plain(drift_verdict(plan)))}**\n", _details(plan, masker)])


def release_details(plan: Plan, masker: Masker) -> str:
    """One of many releases, folded."""
    name = code(f"{plan.release.namespace}/{plan.release.name}", html=True)
    return "\n".join([f"<details><summary>{name}</summary>", "", _details(plan, masker), "</details>", ""])


def releases_markdown(rows: Sequence[DriftRow], details: Iterable[str]) -> str:
    """Many releases: the table, then what ``release_details`` made of those with drift."""
    blocks = [
        "### helmguard: drift\n",
        f"**{prose(_plain(overview_verdict(rows)))}**\n",
        *_table(rows),
        *details,
    ]
    return _fitting(blocks)


def _table(rows: Sequence[DriftRow]) -> Iterator[str]:
    shown = shown_rows(rows, everything=False)
    if shown:
        titles, cells = table_cells(shown)
        lines = [f"| {' | '.join(titles)} |", f"|{' --- |' * len(titles)}"]
        lines += [f"| {' | '.join(prose(text) for text, _ in row)} |" for row in cells]
        yield "\n".join([*lines, ""])
        unread = [f"- {code(f'{row.namespace}/{row.name}')}: {prose(row.why)}" for row in shown if row.why]
        if unread:
            yield "\n".join([*unread, ""])
    if len(rows) > len(shown):
        yield f"{plural(len(rows) - len(shown), 'release')} without drift.\n"


def _details(plan: Plan, masker: Masker) -> str:
    pen = Pen(Page(width=120), masker)
    text = to_text(drift_lines(plan, pen), colour=False)
    return fenced(text.rstrip("\n").split("\n")) + "\n"


def _fitting(blocks: Iterable[str]) -> str:
    return fitting(blocks, LONGEST - _TAIL, "helmguard drift")


def _plain(spans: Line) -> str:
    return "".join(span.text for span in spans)
