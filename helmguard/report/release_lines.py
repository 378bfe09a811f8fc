"""The lines of a list of releases. Pure: the time is given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from helmguard.report.ages import age_in_words
from helmguard.report.cut_line import cut_line
from helmguard.report.display_width import display_width
from helmguard.report.drift_rows import DriftRow, is_adrift
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.release_rows import ReleaseRow, ReleasesView, SortBy, is_quiet
from helmguard.report.section import dotted
from helmguard.report.status_signs import gravity, status_line
from helmguard.report.styles import Line, Span, Style

_AGE = 11
_DRIFT = 8
_WIDEST_NAMESPACE = 24
_WIDEST_NAME = 40
_LEAST_NAMES = 24
_LEAST_CHART = 14


class ReleaseColumns(msgspec.Struct, frozen=True):
    """Widths in columns; 0 for a column that is left out."""

    namespace: int
    name: int
    revision: int
    status: int
    age: int
    drift: int
    chart: int


def release_columns(rows: Sequence[ReleaseRow], width: int) -> ReleaseColumns:
    """What all the rows need, names cut and the chart left out where there is not the room.

    The column of drift is there once one release has been asked.
    """
    namespace = _widest("NAMESPACE", (row.release.namespace for row in rows), _WIDEST_NAMESPACE)
    name = _widest("NAME", (row.release.name for row in rows), _WIDEST_NAME)
    revision = _widest("REV", (str(row.release.version) for row in rows), 6)
    status = 2 + _widest("STATUS", {row.release.status for row in rows}, 16)
    drift = _DRIFT if any(row.drift is not None for row in rows) else 0
    fixed = revision + status + _AGE + drift + 2 * (5 if drift else 4)
    room = max(_LEAST_NAMES, width - fixed)
    if namespace + name > room:
        namespace = max(min(namespace, room * 2 // 5), room - name)
        name = room - namespace
    chart = room - namespace - name - 2
    return ReleaseColumns(
        namespace, name, revision, status, _AGE, drift, chart if chart >= _LEAST_CHART else 0
    )


def _widest(title: str, texts: Iterable[str], most: int) -> int:
    return min(most, max([display_width(title) + 1, *map(display_width, texts)]))


def column_titles(columns: ReleaseColumns, sort: SortBy, pen: Pen) -> Line:
    """``NAMESPACE  NAME ...``, the one that the list is sorted by marked."""
    mark = "↓" if pen.page.unicode else "^"
    sorted_by = {"namespace": "NAMESPACE", "name": "NAME", "status": "STATUS", "updated": "UPDATED"}[sort]
    titles = [
        ("NAMESPACE", columns.namespace),
        ("NAME", columns.name),
        ("REV", columns.revision),
        ("STATUS", columns.status),
        ("UPDATED", columns.age),
        ("DRIFT", columns.drift),
        ("CHART", columns.chart),
    ]
    spans = []
    for title, size in titles:
        is_sorted = title == sorted_by
        span = Span(f"{title}{mark}", "bold") if is_sorted else Span(title, "dim")
        spans += [_cell(span, size, pen)] if size else []
    return tuple(spans)


def release_line(row: ReleaseRow, columns: ReleaseColumns, now: int, pen: Pen) -> Line:
    """One release; ``now`` in Unix seconds."""
    release = row.release
    needs_eyes = gravity(release.status) < 3 or (row.drift is not None and not is_quiet(row.drift))
    sign, status = status_line(release.status, pen)
    spans = [
        _cell(pen.text(release.namespace), columns.namespace, pen),
        _cell(pen.text(release.name, "bold" if needs_eyes else ""), columns.name, pen),
        _cell(Span(str(release.version).rjust(columns.revision)), columns.revision, pen),
        sign,
        _cell(status, columns.status - 2, pen),
        _cell(Span(_age(release.changed, now), "dim"), columns.age, pen),
    ]
    if columns.drift:
        spans.append(_cell(drift_cell(row.drift), columns.drift, pen))
    if columns.chart and row.chart_read:
        spans += cut_line(_chart(row, pen), columns.chart, pen)
    return tuple(spans)


def _cell(span: Span, width: int, pen: Pen) -> Span:
    """With the gap after it; called for every cell of thousands of rows."""
    text = span.text
    if not text.isascii() or len(text) > width:
        text = "".join(part.text for part in cut_line((span,), width, pen))
        return Span(f"{text}{' ' * (width + 2 - display_width(text))}", span.style)
    return Span(f"{text.ljust(width)}  ", span.style)


def drift_cell(drift: DriftRow | None) -> Span:
    """``~2`` objects, ``none``, ``not read``, nothing where it was not asked for."""
    if drift is None:
        return Span("")
    if drift.why:
        return Span("not read", "warning")
    doubt = " ?" if drift.not_known else ""
    style: Style = "warning" if not is_quiet(drift) else "dim"
    count = drift.counts["objectsAdrift"] + drift.counts["leftOver"]
    if is_adrift(drift):
        return Span(f"~{count}{doubt}", style)
    return Span(f"marks{doubt}" if drift.counts["ownership"] else f"none{doubt}", style)


def list_summary(rows: Sequence[ReleaseRow], shown: int, view: ReleasesView, left_out: str, pen: Pen) -> Line:
    """``214 releases, 12 shown · namespace shop · status failed · "web" · by updated``."""
    said = plural(len(rows), "release") + (f", {shown} shown" if view.is_filtered else "")
    parts = [Span(said, "bold")]
    if view.namespace:
        parts.append(pen.text(f"namespace {view.namespace}", "info"))
    if view.status != "all":
        parts.append(Span(view.status, "info"))
    if view.search:
        parts.append(pen.text(f"like {view.search}", "info"))
    parts.append(Span(f"by {view.sort}", "dim"))
    asked = [row.drift for row in rows if row.drift is not None]
    if asked:
        adrift = sum(not is_quiet(drift) for drift in asked)
        parts.append(Span(f"drift in {adrift} of {len(asked)}", "warning" if adrift else "dim"))
    if left_out:
        parts.append(pen.text(left_out, "warning"))
    return tuple(dotted(parts, pen))


def nothing_shown(rows: Sequence[ReleaseRow], view: ReleasesView, left_out: str, where: str) -> str:
    """Why the list is empty and what to do; ``where`` names the cluster or file."""
    if rows:
        hidden = f"None of {plural(len(rows), 'release')} fits what is asked for."
        ways = ["/ and esc clear the search"] if view.search else []
        ways += ["0 shows all namespaces"] if view.namespace else []
        ways += ["f changes the status"] if view.status != "all" else []
        if view.status == "drifted":
            ways.append("d compares the releases with what is live")
        return f"{hidden}\n\n{'; '.join(ways)}." if ways else hidden
    place = left_out.removeprefix("only ") if left_out else f"{where} that you may see"
    lines = [f"There is no release in {place}.", ""]
    lines += [
        "Helm stores releases in Secrets, or where HELM_DRIVER says: set it as helm has it.",
        "With helmguard tui -n NAMESPACE you look into one namespace that you may not see in this list.",
        "To list releases takes the right to list Secrets: kubectl auth can-i list secrets -A",
        "",
        "ctrl+r looks again.",
    ]
    return "\n".join(lines)


def _age(changed: int, now: int) -> str:
    return f"{age_in_words(max(0, now - changed))} ago" if changed else ""


def _chart(row: ReleaseRow, pen: Pen) -> list[Span]:
    if row.chart is None:
        return [Span("not readable", "dim")]
    app = f"  app {row.chart.app_version}" if row.chart.app_version else ""
    return [pen.text(row.chart.chart), pen.text(app, "dim")]
