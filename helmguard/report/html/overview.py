"""The top of a check's page: the verdict, and a line for each release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.declared_release import ChartNeed
from helmguard.report.check_cells import STATE_SIGNS, result_span
from helmguard.report.check_counts import STATES, findings_of, state_counts
from helmguard.report.check_unknown import own_unknown
from helmguard.report.counts_text import object_counts
from helmguard.report.html.findings import severity_badges
from helmguard.report.html.markup import Markup, element, joined
from helmguard.report.html.page_pen import PagePen, anchor, marked
from helmguard.report.html.tables import sign_cell, table
from helmguard.report.plural import plural
from helmguard.report.section import dotted
from helmguard.report.styles import Line, Span

QUIET = ("noise", "same")
"""States that need no reading."""

_LIVE = {
    "none": "without a cluster: the two sides were compared with each other, what is live is not known",
    "cluster": "with the live cluster",
    "bundle": "with the live side from a bundle",
}
_WORDS = {"noise": "noise only", "same": "nothing changes", "unknown": "not known"}


def heading(report: CheckReport, pen: PagePen) -> Markup:
    """Which two sides, and by which Helm."""
    sides = joined(
        [
            element("code", pen.text(report.base).text),
            f" {pen.symbols.arrow} ",
            element("code", pen.text(report.head).text),
        ]
    )
    helm = f"Helm {report.helm}" if report.helm else ""
    if report.base_helm and report.base_helm != report.helm:
        helm = f"Helm {report.base_helm} before, {report.helm} after"
    how = f" {pen.symbols.dot} ".join(part for part in (_LIVE[report.live], pen.text(helm).text) if part)
    return joined(
        [
            element("h1", "What merging this does"),
            element("p", sides, class_="sides"),
            element("p", how, class_="sides small"),
        ]
    )


def verdict_box(verdict: Line, badges: Sequence[Markup], said: str) -> Markup:
    """The verdict in words, what was found below it."""
    style = verdict[0].style if verdict else ""
    text = "".join(span.text for span in verdict)
    below = joined([joined([badge, " "]) for badge in badges])
    return element(
        "div",
        element("p", text),
        element("div", below, said, class_="badges"),
        class_=f"verdict s-{style}" if style else "verdict",
        role="status",
    )


def found_badges(report: CheckReport, pen: PagePen) -> list[Markup]:
    """``▲ 2 DANGER``: over all releases."""
    return severity_badges((finding for _, finding in findings_of(report)), pen)


def counted_states(report: CheckReport) -> str:
    """``30 releases read, 4 concerned: 2 changed, 1 added, 1 not known``."""
    states = state_counts(report)
    told = [f"{states[state]} {_WORDS.get(state, state)}" for state in STATES if states[state]]
    text = f"{plural(report.read, 'release')} read, {len(report.releases)} concerned"
    return f"{text}: {', '.join(told)}" if told else text


def release_table(releases: Sequence[CheckedRelease], pen: PagePen) -> Markup:
    """A line a release."""
    head = ("", "release", "chart", "what changes", "findings")
    return table("releases", head, (_row(release, pen) for release in releases))


def release_anchor(release: CheckedRelease) -> str:
    """The id of its section."""
    return anchor("release", release.declared.identity)


def state_spans(release: CheckedRelease) -> list[Span]:
    """``~ changed``."""
    sign, style = STATE_SIGNS[release.state]
    return [Span(sign, style), Span(" "), Span(_WORDS.get(release.state, release.state), style)]


def _row(release: CheckedRelease, pen: PagePen) -> Markup:
    declared, name = release.declared, release_anchor(release)
    link = element("a", pen.text(declared.name).text, href=f"#{name}", class_="name")
    where = pen.text(declared.identity).text
    return element(
        "tr",
        sign_cell((state_spans(release)[0],)),
        element("th", link, element("span", where, class_="where"), scope="row"),
        element("td", chart_text(release, pen)),
        element("td", *_changes(release, pen)),
        element("td", *_found(release, pen)),
        data_release=name,
    )


def chart_text(release: CheckedRelease, pen: PagePen) -> Markup | str:
    """``web 1.0.0 → 1.1.0``; as the repository names it where it could not be had."""
    if release.plan is None:
        return pen.text(_needed(release, pen.symbols.arrow)).text
    before, after = release.plan.release.chart, release.plan.release.new_chart
    if release.state == "removed":
        before, after = None, before or after
    if before is None or (before.name, before.version) == (after.name, after.version):
        return pen.text(f"{after.name} {after.version}").text
    name = after.name if before.name == after.name else f"{before.name} {before.version}"
    if before.name == after.name:
        return pen.text(f"{name} {before.version} {pen.symbols.arrow} {after.version}").text
    return pen.text(f"{name} {pen.symbols.arrow} {after.name} {after.version}").text


def _needed(release: CheckedRelease, arrow: str) -> str:
    old, new = (side.chart if side else None for side in (release.base, release.head))
    if old is None or new is None or old == new:
        return _short(release.declared.chart, release.declared.chart.version)
    if (old.kind, old.url, old.name, old.path) == (new.kind, new.url, new.name, new.path):
        versions = (f"{chart.version} {chart.digest}".strip() for chart in (old, new))
        return _short(new, f" {arrow} ".join(versions))
    return f"{old} {arrow} {new}"


def _short(chart: ChartNeed, versions: str) -> str:
    """The chart's own name, where nobody could read it in the chart."""
    name = chart.name or (chart.path or chart.url).rstrip("/").rpartition("/")[2] or str(chart)
    return f"{name} {versions}".rstrip()


def _changes(release: CheckedRelease, pen: PagePen) -> Iterator[Markup | str]:
    yield marked([state_spans(release)[2]])
    if release.state == "unknown":
        yield element("span", pen.prose(release.why).text, class_="where clamp")
    elif release.plan is not None and release.state not in QUIET:
        counts = [Span(*count) for count in object_counts(release.plan) if "unchanged" not in count[0]]
        yield element("span", marked(dotted(counts, pen)), class_="where")


def _found(release: CheckedRelease, pen: PagePen) -> Iterator[Markup | str]:
    plan = release.plan
    if plan is None:
        return
    badges = severity_badges(plan.findings, pen)
    yield joined(joined([badge, " "]) for badge in badges)
    if plan.failure is not None:
        yield marked([result_span(release)])
    if own_unknown(release):
        yield element("span", "not all is known", class_="s-warning small")
