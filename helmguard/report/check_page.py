"""A check as a page for people: a table of releases, then what each of them is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.report.alike_releases import alike_releases
from helmguard.report.check_cells import gravest_first
from helmguard.report.check_release_page import release_body, release_head, rule_line, shared_texts
from helmguard.report.check_table import check_table
from helmguard.report.check_unknown import check_unknown, shown_releases
from helmguard.report.check_verdict import check_verdict
from helmguard.report.layout import wrapped
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line, dotted
from helmguard.report.styles import EMPTY, Line, Span, to_text

_SIDES = {
    "none": "without a cluster: the two renderings are compared with each other",
    "cluster": "beside what is live",
    "bundle": "beside what the bundles hold as live",
}


def render_check(report: CheckReport, page: Page, masker: Masker, *, quiet: bool = False) -> str:
    """The whole page, or with ``quiet`` its last line; ends with a line feed.

    The order is the reader's: which releases, what is dangerous in each and what changes, what is not known,
    what now.
    """
    last = check_verdict(report)
    if quiet:
        return to_text([last], colour=page.colour)
    pen = Pen(page, masker)
    lines = [*_page(report, pen), *wrapped(last, page.columns)]
    return to_text(lines, colour=page.colour)


def _page(report: CheckReport, pen: Pen) -> Iterator[Line]:
    yield EMPTY
    yield from check_header(report, pen)
    yield EMPTY
    yield from check_table(report, pen)
    shown = gravest_first(shown_releases(report, show_noise=pen.page.show_noise))
    bodies = {id(one): tuple(release_body(one, report, pen)) for one in shown}
    groups = [(one,) for one in shown] if pen.page.show_noise else _alike(shown, bodies)
    for group in groups:
        yield from release_head(group, report, pen)
        yield from bodies[id(group[0])]
    if groups:
        yield rule_line(pen)
    yield from _notes(report, pen)
    yield from check_unknown(report, pen)


def _alike(
    releases: Sequence[CheckedRelease], bodies: Mapping[int, Sequence[Line]]
) -> list[tuple[CheckedRelease, ...]]:
    return alike_releases(releases, lambda one: to_text(bodies[id(one)], colour=False))


def check_header(report: CheckReport, pen: Pen) -> Iterator[Line]:
    """From what to what, how much of it is concerned, and by what it was judged."""
    sides = [
        pen.text(report.base, "bold"),
        Span(f" {pen.symbols.arrow} "),
        pen.text(report.head, "bold"),
    ]
    yield from wrapped(sides, pen.page.columns, 2)
    parts = [Span(concerned_text(report)), Span(_SIDES[report.live])]
    helm = helm_text(report, pen.symbols.arrow)
    parts += [pen.text(helm)] if helm else []
    yield from wrapped(dotted(parts, pen), pen.page.text_width, 2)


def concerned_text(report: CheckReport) -> str:
    """``3 of 30 releases concerned``."""
    if not report.releases:
        return f"none of {plural(report.read, 'release')} concerned" if report.read else "no release found"
    gone = sum(one.head is None for one in report.releases)
    return f"{len(report.releases)} of {plural(report.read + gone, 'release')} concerned"


def helm_text(report: CheckReport, arrow: str) -> str:
    """``Helm 4.3.1``; both versions where each side has its own."""
    if report.helm == report.base_helm or not report.base_helm:
        return f"Helm {report.helm}" if report.helm else ""
    return f"Helm {report.base_helm} {arrow} {report.helm}: each side is rendered by its own"


def all_notes(report: CheckReport) -> list[str]:
    """The check's own, and what controllers do with several releases; each once."""
    return list(dict.fromkeys([*shared_texts(report), *report.notes]))


def _notes(report: CheckReport, pen: Pen) -> Iterator[Line]:
    notes = all_notes(report)
    if not notes:
        return
    yield from wrapped(counts_line("Notes", [(str(len(notes)), "")], pen), pen.page.columns, HEADING_WIDTH)
    for note in notes:
        spans = [Span(f"  {pen.symbols.info} ", "dim"), pen.prose(note)]
        yield from wrapped(spans, pen.page.text_width, 6)
    yield EMPTY
