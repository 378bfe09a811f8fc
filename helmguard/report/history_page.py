"""The history of a release as a page for people: oldest first, as ``helm history`` has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.masking.masker import Masker
from helmguard.model.revision_changes import HistoryEntry, ReleaseHistory
from helmguard.report.display_width import display_width
from helmguard.report.drift_fields import moment
from helmguard.report.history_words import change_words
from helmguard.report.layout import padded, wrapped
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.section import dotted
from helmguard.report.styles import EMPTY, Line, Span, Style, to_text

_METHODS = {"ssa": "server-side", "csa": "client-side", "": ""}
_STYLES: dict[str, Style] = {"deployed": "good", "superseded": "dim", "uninstalled": "dim"}


def render_history(history: ReleaseHistory, page: Page, masker: Masker) -> str:
    """The whole page; ends with a line feed."""
    lines = [EMPTY, *history_lines(history, Pen(page, masker))]
    return to_text(lines, colour=page.colour)


def history_lines(history: ReleaseHistory, pen: Pen) -> Iterator[Line]:
    """For each revision a line about it, and one about what changed."""
    stored = sum(entry.revision is not None for entry in history.entries)
    parts = [
        pen.text(history.name, "bold"),
        pen.text(f"namespace {history.namespace}"),
        Span(plural(stored, "revision")),
    ]
    if history.left_out:
        parts.append(Span(f"{history.left_out} older left out", "dim"))
    yield from wrapped(dotted(parts, pen), pen.page.columns, 2)
    yield EMPTY
    cells = [_cells(entry, pen) for entry in history.entries]
    width = max((display_width(row[0].text) for row in cells), default=1)
    widths = [_width(cells, column) for column in range(1, 6)]
    for entry, row in zip(history.entries, cells, strict=True):
        yield from _head(row, width, widths, pen)
        if entry.revision is not None:
            margin = 2 + width + 2
            spans = [Span(" " * margin), *change_words(entry, pen)]
            yield from wrapped(spans, pen.page.columns, margin + 2)


def _width(rows: Sequence[Sequence[Span]], column: int) -> int:
    return max((display_width(row[column].text) for row in rows if len(row) > 2), default=0)


def _head(row: Sequence[Span], number_width: int, widths: Sequence[int], pen: Pen) -> list[Line]:
    number, *cells = row
    spans = [Span(" " * (2 + number_width - display_width(number.text))), number, Span("  ")]
    hanging = 2 + number_width + 2
    if len(cells) == 1:
        return wrapped([*spans, *cells], pen.page.columns, hanging + 2)
    for cell, width in zip(cells, widths, strict=False):
        if width:
            spans += [*padded((cell,), width), Span("  ")]
    return wrapped([*spans, cells[-1]], pen.page.columns, hanging + 2)


def _cells(entry: HistoryEntry, pen: Pen) -> list[Span]:
    """Number, updated, status, chart, app version, method, description; or number and what is wrong."""
    revision = entry.revision
    if entry.damage:
        number = str(entry.version) if entry.version else "?"
        text = f"record {entry.storage_name} cannot be read, and Helm skips it: {entry.damage}"
        return [Span(number, "warning"), pen.prose(text, "warning")]
    if revision is None:
        several = entry.last_version > entry.version
        number = f"{entry.version}-{entry.last_version}" if several else str(entry.version)
        return [Span(number, "dim"), Span("not stored any more", "dim")]
    status = revision.status
    if entry.label_status and entry.label_status != status:
        status = f"{status} (labelled {entry.label_status})"
    return [
        Span(str(entry.version), "bold"),
        pen.text(moment(revision.updated), "dim"),
        pen.text(status, _STYLES.get(revision.status, "bad")),
        pen.text(revision.chart),
        pen.text(f"app {revision.app_version}" if revision.app_version else "", "dim"),
        pen.text(_METHODS.get(revision.apply_method, revision.apply_method), "dim"),
        pen.prose(revision.description),
    ]
