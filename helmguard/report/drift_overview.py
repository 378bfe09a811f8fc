"""Many releases' drift as a page: a table first, then the details of those with drift."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from helmguard.masking.masker import Masker
from helmguard.report.display_width import display_width
from helmguard.report.drift_rows import DriftRow, exit_code_of_all, is_adrift, summary_of_all
from helmguard.report.exit_code import ERROR, FINDINGS, NOTHING_TO_DO
from helmguard.report.layout import padded, wrapped
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.styles import EMPTY, Line, Span, Style, to_text

_COLUMNS: tuple[tuple[str, tuple[str, ...], Style], ...] = (
    ("MISSING", ("missing", "beingDeleted"), "bad"),
    ("FAILS", ("conflicts", "notServed", "failing"), "bad"),
    ("REVERTED", ("reverted",), "warning"),
    ("KEPT", ("kept",), "warning"),
    ("LATENT", ("latent",), "info"),
    ("OWNER", ("ownership",), "warning"),
    ("LEFT", ("leftOver",), "warning"),
)
_GAP = "  "


def render_overview(
    rows: Sequence[DriftRow], details: Iterable[Sequence[Line]], page: Page, *, quiet: bool = False
) -> str:
    """The whole page, or with ``quiet`` its last line; ``details`` are the lines of each release to show."""
    last = overview_verdict(rows)
    if quiet:
        return to_text([last], colour=page.colour)
    pen = Pen(page, Masker())
    lines: list[Line] = [EMPTY, *_table(rows, pen)] if rows else []
    for release in details:
        lines += [(Span("-" * min(page.columns, 60), "dim"),), *release]
    return to_text([*lines, *wrapped(last, page.columns)], colour=page.colour)


def overview_verdict(rows: Sequence[DriftRow]) -> Line:
    """``Drift in 3 of 214 releases; 1 will fail, 1 not known. Exit 3.``"""
    text, style = _verdict(rows)
    return (Span(text, style), Span(f" Exit {exit_code_of_all(rows)}.", "bold"))


def shown_rows(rows: Sequence[DriftRow], *, everything: bool) -> list[DriftRow]:
    """The rows of the table."""
    return [row for row in rows if everything or not row.is_quiet]


def table_cells(rows: Sequence[DriftRow]) -> tuple[list[str], list[list[tuple[str, Style]]]]:
    """Headings, and each row's cells with their styles; columns that are empty in all rows are left out."""
    used = [
        (title, names, style)
        for title, names, style in _COLUMNS
        if any(row.counts[name] for row in rows for name in names)
    ]
    unknown = any(row.why or row.not_known for row in rows)
    titles = ["NAMESPACE", "RELEASE", "REV", "STATUS", *(title for title, _, _ in used)]
    cells: list[list[tuple[str, Style]]] = []
    for row in rows:
        counts: list[tuple[int, Style]] = [
            (sum(row.counts[name] for name in names), style) for _, names, style in used
        ]
        if unknown:
            counts.append((row.not_known, "warning"))
        cells.append(
            [
                (row.namespace, ""),
                (row.name, "bold"),
                (str(row.revision or "?"), ""),
                (row.status or "?", "" if row.status == "deployed" else "warning"),
                *((str(count), style) if count else ("-", "dim") for count, style in counts),
            ]
        )
    return ([*titles, "UNKNOWN"] if unknown else titles), cells


def _table(rows: Sequence[DriftRow], pen: Pen) -> Iterator[Line]:
    shown = shown_rows(rows, everything=pen.page.show_noise)
    if shown:
        titles, cells = table_cells(shown)
        texts = [[pen.text(text, style) for text, style in row] for row in cells]
        table = [[Span(title, "dim") for title in titles], *texts]
        widths = [max(display_width(row[index].text) for row in table) for index in range(len(titles))]
        for row in table:
            spans = [
                span
                for cell, width in zip(row, widths, strict=True)
                for span in (*padded((cell,), width), Span(_GAP))
            ]
            yield tuple(spans[:-1])
        for unread in (row for row in shown if row.why):
            name = pen.text(f"{unread.namespace}/{unread.name}", "bold")
            spans = [Span("  ? ", "warning"), name, Span("  "), pen.prose(unread.why)]
            yield from wrapped(spans, pen.page.columns, 6)
    quiet = len(rows) - len(shown)
    if quiet:
        yield (Span(f"{'and ' if shown else ''}{plural(quiet, 'release')} without drift", "dim"),)
    yield EMPTY


def _verdict(rows: Sequence[DriftRow]) -> tuple[str, Style]:
    total, code = summary_of_all(rows), exit_code_of_all(rows)
    if not rows:
        return "There is no release: nothing was compared.", "warning"
    if code == ERROR:
        return f"None of {plural(len(rows), 'release')} could be read.", "bad"
    if code == NOTHING_TO_DO:
        ignored = f"; {plural(total['ignored'], 'change')} ignored" if total["ignored"] else ""
        return f"No drift in {plural(len(rows), 'release')}{ignored}.", "good"
    drifted = sum(is_adrift(row) for row in rows)
    parts = [f"Drift in {drifted} of {plural(len(rows), 'release')}" if drifted else "No drift found"]
    if total["refused"]:
        parts.append(f"the next upgrade of {total['refused']} will fail or be refused")
    if total["notKnown"]:
        parts.append(f"{total['notKnown']} not fully known")
    if total["ignored"]:
        parts.append(f"{plural(total['ignored'], 'change')} ignored")
    return f"{'; '.join(parts)}.", "bad" if code == FINDINGS else "warning"
