"""A release's revisions as a time line, newest first: lines for a list. Pure: the time is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from helmguard.compare.object_drift import drift_of
from helmguard.model.plan import Plan
from helmguard.model.release_state import RevisionRef
from helmguard.model.revision_changes import HistoryEntry, ReleaseHistory
from helmguard.report.ages import ago
from helmguard.report.cut_line import cut_line
from helmguard.report.drift_json import drift_counts
from helmguard.report.drift_verdict import drift_words
from helmguard.report.history_words import change_words
from helmguard.report.layout import padded, wrapped
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.section import dotted
from helmguard.report.status_signs import status_line
from helmguard.report.styles import Line, Span
from helmguard.report.unknown import unknown_items

LIVE = 0
"""Stands for what is live where numbers of revisions are asked for."""
_AGE = 11
_MOST_LINES = 3
_WRAPPED = 20
"""Columns that the break between two lines may waste."""


class TimeLineRow(msgspec.Struct, frozen=True):
    """``version`` is None for what cannot be compared: numbers not stored, records not readable."""

    key: str
    version: int | None
    lines: tuple[Line, ...]


def time_line_rows(
    history: ReleaseHistory,
    now: str,
    pen: Pen,
    *,
    marked: Sequence[int] = (),
    compared: Sequence[int] = (),
    live: Line | None = None,
    brief: bool = False,
) -> list[TimeLineRow]:
    """What is live first, where ``live`` says something about it, then the revisions from the newest.

    ``marked`` are the revisions chosen for a comparison, ``compared`` those on the screen. With ``brief`` a
    revision has one line, cut to the width, else a few, where what changed stands below the rest.
    """
    entries = list(reversed(history.entries))
    number = max((len(str(entry.last_version)) for entry in entries), default=1)
    method = max((len(entry.revision.apply_method) for entry in entries if entry.revision), default=0)
    margin = 2 + number + 2
    rows = []
    if live is not None:
        spans = [_mark(LIVE, marked, compared, pen), Span("L".rjust(number), "bold"), Span("  live  "), *live]
        rows.append(TimeLineRow("live", LIVE, _lines(spans, margin, pen, brief=brief)))
    for entry in entries:
        mark = _mark(entry.version, marked, compared, pen)
        if entry.revision is None:
            lines = _lines([mark, *_not_readable(entry, number, pen)], margin, pen, brief=brief)
            rows.append(TimeLineRow(row_key(entry), None, lines))
            continue
        head = [mark, *_head(entry, number, method, now, pen, brief=brief)]
        if brief:
            lines = (cut_line([*head, Span("  "), *_told(entry, pen)], pen.page.columns, pen),)
        else:
            told = [Span(" " * margin), *change_words(entry, pen)]
            lines = (*_lines(head, margin, pen), *_lines(told, margin, pen))
        rows.append(TimeLineRow(row_key(entry), entry.version, lines))
    return rows


def _lines(spans: Sequence[Span], margin: int, pen: Pen, *, brief: bool = False) -> tuple[Line, ...]:
    """One line cut, or a few."""
    if brief:
        return (cut_line(spans, pen.page.columns, pen),)
    lines = wrapped(spans, pen.page.columns, margin)
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], (*lines[_MOST_LINES - 1], Span(pen.symbols.ellipsis, "dim"))]
    return tuple(lines)


def release_headline(history: ReleaseHistory, pen: Pen) -> Line:
    """``web · namespace shop · revision 3 failed · chart web-1.2.0 · 3 revisions``."""
    stored = [entry for entry in history.entries if entry.revision is not None]
    parts = [pen.text(history.name, "bold"), pen.text(f"namespace {history.namespace}")]
    last = stored[-1].revision if stored else None
    if last is not None:
        sign, word = status_line(last.status, pen)
        parts.append(Span(f"revision {last.version} {sign.text}{word.text}", word.style))
        chart = f"chart {last.chart}" + (f", app {last.app_version}" if last.app_version else "")
        parts.append(pen.text(chart))
    parts.append(Span(plural(len(stored), "revision"), "dim"))
    damaged = sum(bool(entry.damage) for entry in history.entries)
    if damaged:
        parts.append(Span(f"{plural(damaged, 'record')} not readable", "warning"))
    return cut_line(dotted(parts, pen), pen.page.columns, pen)


def comparison_title(before: int, after: int, history: ReleaseHistory, pen: Pen) -> Line:
    """``revision 2 → 3 (stored)``, and why 3 did not end well, two lines at most; ``revision 3 and live``."""
    if after == LIVE:
        return (Span(f"revision {before} and live", "bold"),)
    spans = [Span(f"revision {before} {pen.symbols.arrow} {after}", "bold"), Span(" (stored)", "dim")]
    found = next((entry.revision for entry in history.entries if entry.version == after), None)
    if found is not None and _is_remarkable(found):
        spans += [Span(f" {pen.symbols.dot} ", "dim"), _description(found, pen)]
    return cut_line(spans, 2 * pen.page.columns - _WRAPPED, pen)


def not_compared(version: int, history: ReleaseHistory, pen: Pen) -> str:
    """Why there is no comparison with a revision before the first; and why that one did not end well."""
    text = f"Revision {version} is the first that is stored: there is none to compare it with."
    found = next((entry.revision for entry in history.entries if entry.version == version), None)
    if found is not None and _is_remarkable(found):
        text += f"\n\n{_description(found, pen).text}"
    return text


def live_words(plan: Plan, version: int) -> Line:
    """``drift: 1 object missing, 2 fields kept``: how what is live differs from a revision."""
    words = drift_words(drift_counts(drift_of(plan), plan.left_over))
    of = Span(f" (beside revision {version})", "dim")
    if words:
        return (Span(f"drift: {words}", "warning"), of)
    doubts = unknown_items(plan)
    if doubts:
        return (Span(f"no drift found, {plural(len(doubts), 'thing')} not known", "warning"), of)
    return (Span("drift: none", "good"), of)


def revision_before(history: ReleaseHistory, version: int) -> int | None:
    """The readable revision before this one, None for the first."""
    earlier = [
        entry.version for entry in history.entries if entry.revision is not None and entry.version < version
    ]
    return max(earlier, default=None)


def row_key(entry: HistoryEntry) -> str:
    """Finds the row again."""
    return f"{entry.version}-{entry.storage_name}"


def _mark(version: int, marked: Sequence[int], compared: Sequence[int], pen: Pen) -> Span:
    """One column, and a blank: chosen, or on the screen."""
    if version in marked:
        return Span("+ ", "info")
    if version in compared:
        return Span("» " if pen.page.unicode else "} ", "bold")
    return Span("  ")


def _not_readable(entry: HistoryEntry, number: int, pen: Pen) -> list[Span]:
    if entry.damage:
        version = str(entry.version) if entry.version else "?"
        text = f"record {entry.storage_name} cannot be read, and Helm skips it: {entry.damage}"
        return [Span(f"{version.rjust(number)}  ", "warning"), pen.prose(f"? {text}", "warning")]
    several = entry.last_version > entry.version
    numbers = f"{entry.version}-{entry.last_version}" if several else str(entry.version)
    return [Span(f"{numbers.rjust(number)}  not stored any more", "dim")]


def _head(
    entry: HistoryEntry, number: int, method: int, now: str, pen: Pen, *, brief: bool
) -> Iterator[Span]:
    """Number, status, age, method; unless ``brief`` also chart, app version and description."""
    revision = entry.revision
    assert revision is not None
    yield Span(f"{str(entry.version).rjust(number)}  ", "bold")
    status = list(status_line(revision.status, pen))
    if entry.label_status and entry.label_status != revision.status:
        status.append(pen.text(f" (labelled {entry.label_status})", "warning"))
    yield from padded(tuple(status), 12)
    yield Span("  ")
    age = pen.text(ago(revision.updated, now) if revision.updated else "", "dim")
    yield from padded((age,), _AGE)
    if method:
        yield pen.text(f"  {revision.apply_method.ljust(method)}", "dim")
    if brief:
        return
    yield pen.text(f"  {revision.chart}  ")
    if revision.app_version:
        yield pen.text(f"app {revision.app_version}  ", "dim")
    yield _description(revision, pen)


def _told(entry: HistoryEntry, pen: Pen) -> list[Span]:
    """What changed; in front of it the words of a revision that did not end well or went back."""
    revision = entry.revision
    assert revision is not None
    spans: list[Span] = []
    if entry.rollback_to or _is_remarkable(revision):
        spans = [_description(revision, pen), Span(f" {pen.symbols.dot} ", "dim")]
    return [*spans, *change_words(entry, pen)]


def _is_remarkable(revision: RevisionRef) -> bool:
    return revision.status not in ("deployed", "superseded") and bool(revision.description)


def _description(revision: RevisionRef, pen: Pen) -> Span:
    return pen.prose(revision.description, "bad" if revision.status == "failed" else "")
