"""One line a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from helmguard.model.check_report import CheckedRelease, CheckReport, ReleaseState
from helmguard.report.check_cells import (
    STATE_SIGNS,
    change_words,
    finding_spans,
    gravest_first,
    release_names,
    result_span,
)
from helmguard.report.layout import padded, wrapped
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.section import dotted
from helmguard.report.styles import EMPTY, Line, Span, width_of
from helmguard.report.unread_alike import without_rows

_NAMED = 6
_GAP = Span("  ")


def check_table(report: CheckReport, pen: Pen) -> Iterator[Line]:
    """Those with something to say have a row; those that stay as they are, a line together."""
    shown = list(report.releases) if pen.page.show_noise else rows_of(report)
    if shown:
        yield from _rows(gravest_first(shown), release_names(report), pen)
    if not pen.page.show_noise:
        for text in unread_texts(report):
            yield from wrapped([Span("? ", "warning"), pen.text(text)], pen.page.text_width, 4)
        for text in folded_texts(report):
            yield from wrapped([Span("= ", "dim"), pen.text(text, "dim")], pen.page.text_width, 4)
    if report.releases:
        yield EMPTY


def rows_of(report: CheckReport) -> list[CheckedRelease]:
    """The releases that need a row of their own."""
    without = {identity for alike in without_rows(report) for identity in alike.identities}
    quiet = ("noise", "same")
    return [one for one in report.releases if one.state not in quiet and one.declared.identity not in without]


def unread_texts(report: CheckReport) -> Iterator[str]:
    """The releases that could not be compared for one and the same reason, in a sentence."""
    for alike in without_rows(report):
        yield f"{alike.title} not compared: {_named(alike.names)}"


def folded_texts(report: CheckReport) -> Iterator[str]:
    """The releases that need no row of their own, in a sentence for each way in which they do not."""
    known = release_names(report)
    for state, one, many in _FOLDED:
        alike = [release for release in report.releases if release.state == state]
        if alike:
            names = _named([known[release.declared.identity] for release in alike])
            yield f"{plural(len(alike), 'release')} {one if len(alike) == 1 else many}: {names}"


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


_FOLDED: tuple[tuple[ReleaseState, str, str], ...] = (
    (
        "noise",
        "differs only in chart labels, checksums and the like",
        "differ only in chart labels, checksums and the like",
    ),
    ("same", "renders the same as before", "render the same as before"),
)


def _rows(releases: Sequence[CheckedRelease], known: Mapping[str, str], pen: Pen) -> Iterator[Line]:
    """Sign, name and result aligned, the rest beside them; below where there is no room."""
    names = [pen.text(known[one.declared.identity], "bold") for one in releases]
    results = [result_span(one) for one in releases]
    width = pen.page.columns
    name_width = max((size for size in map(_width, names) if size <= width * 2 // 5), default=0)
    result_width = max(map(_width, results))
    for release, name, result in zip(releases, names, results, strict=True):
        sign, style = STATE_SIGNS[release.state]
        about = dotted([*finding_spans(release), pen.text(change_words(release))], pen)
        head = [Span(sign, style), Span(" "), *padded((name,), name_width), _GAP]
        if _width(name) > name_width:
            yield from wrapped([Span(sign, style), Span(" "), name], width, 4)
            head = [Span(" " * (name_width + 2)), _GAP]
        head += [*padded((result,), result_width), _GAP]
        yield from wrapped([*head, *about], width, width_of(head))


def _width(span: Span) -> int:
    return width_of((span,))
