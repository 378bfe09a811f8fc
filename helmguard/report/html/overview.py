"""The top of a check's page: the verdict, and a line for each release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.finding import SEVERITIES, Finding, at_or_above
from helmguard.report.check_counts import finding_counts, findings_of, state_counts
from helmguard.report.check_exit_code import (
    check_exit_code,
    is_changed,
    is_check_uncertain,
    is_release_refused,
    is_release_uncertain,
)
from helmguard.report.counts_text import object_counts
from helmguard.report.html.findings import severity_badges
from helmguard.report.html.markup import Markup, element, joined
from helmguard.report.html.page_pen import PagePen, anchor, marked
from helmguard.report.html.tables import sign_cell, table
from helmguard.report.plan_title import plan_word
from helmguard.report.plural import plural
from helmguard.report.section import dotted
from helmguard.report.styles import Line, Span, Style

QUIET = ("noise", "same")
"""States that need no reading."""

_LIVE = {
    "none": "without a cluster: the two sides were compared with each other, what is live is not known",
    "cluster": "with the live cluster",
    "bundle": "with the live side from a bundle",
}
_SIGNS: dict[str, tuple[str, Style]] = {
    "added": ("+", "create"),
    "changed": ("~", "update"),
    "removed": ("-", "delete"),
    "noise": ("~", "dim"),
    "same": ("=", "dim"),
    "unknown": ("?", "warning"),
}
_WORDS = {"noise": "noise only", "same": "nothing changes", "unknown": "not known"}


def gravest_first(releases: Sequence[CheckedRelease]) -> list[CheckedRelease]:
    """Those that need eyes first; among equals in the order of their identities."""
    return sorted(releases, key=lambda release: (_gravity(release), release.declared.identity))


def _gravity(release: CheckedRelease) -> int:
    if release.state in QUIET:
        return 90 + QUIET.index(release.state)
    if is_release_refused(release):
        return 0
    fired = {one.severity for one in (release.plan.findings if release.plan else ()) if _counts(one)}
    worst = min((SEVERITIES.index(severity) for severity in fired), default=len(SEVERITIES))
    if worst <= 1:
        return 1 + worst
    return 10 if release.state == "unknown" else 20 + worst


def _counts(finding: Finding) -> bool:
    return finding.result == "fires" and finding.waived is None


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


def check_verdict(report: CheckReport) -> Line:
    """``Refused: 2 releases. Exit 3.``"""
    code = check_exit_code(report)
    refused = sum(map(is_release_refused, report.releases))
    counts = finding_counts(report)
    gating = [
        plural(counts[severity], severity)
        for severity in SEVERITIES
        if counts[severity] and at_or_above(severity, report.fail_on)
    ]
    if code == 3:
        found = f" with {' and '.join(gating)} at or above the gate ({report.fail_on})" if gating else ""
        said = f"Refused: {plural(refused, 'release')}{found}" if refused else "Refused: not all is known"
        return (Span(f"{said}. Exit {code}.", "bad"),)
    changed = sum(map(is_changed, report.releases))
    unsure = is_check_uncertain(report)
    if code == 0:
        return (Span(f"Merging changes nothing. Exit {code}.", "good"),)
    said = (
        f"{plural(changed, 'release')} {'changes' if changed == 1 else 'change'}"
        if changed
        else "No change found"
    )
    if unsure:
        return (
            Span(
                f"Not certain: {said.lower() if not changed else said}, but not all is known. Exit {code}.",
                "warning",
            ),
        )
    return (Span(f"Passes: {said}. Exit {code}.", "good"),)


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
    told = [f"{states[state]} {_WORDS.get(state, state)}" for state in _SIGNS if states[state]]
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
    sign, style = _SIGNS[release.state]
    return [Span(sign, style), Span(" "), Span(_WORDS.get(release.state, release.state), style)]


def _row(release: CheckedRelease, pen: PagePen) -> Markup:
    declared, name = release.declared, release_anchor(release)
    link = element("a", pen.text(declared.name).text, href=f"#{name}", class_="name")
    where = pen.text(f"{declared.namespace} {pen.symbols.dot} {declared.controller.name}").text
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
    old, new = (side.chart if side else None for side in (release.base, release.head))
    if release.plan is None:
        texts = [str(chart) for chart in dict.fromkeys((old, new)) if chart is not None]
        return pen.text(f" {pen.symbols.arrow} ".join(texts)).text
    before, after = release.plan.release.chart, release.plan.release.new_chart
    if before is None or (before.name, before.version) == (after.name, after.version):
        return pen.text(f"{after.name} {after.version}").text
    name = after.name if before.name == after.name else f"{before.name} {before.version}"
    if before.name == after.name:
        return pen.text(f"{name} {before.version} {pen.symbols.arrow} {after.version}").text
    return pen.text(f"{name} {pen.symbols.arrow} {after.name} {after.version}").text


def _changes(release: CheckedRelease, pen: PagePen) -> Iterator[Markup | str]:
    yield marked([state_spans(release)[2]])
    if release.state == "unknown":
        yield element("span", pen.prose(release.why).text, class_="where")
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
        yield marked([plan_word(plan)])
    elif not badges and is_release_uncertain(release) and release.state not in QUIET:
        yield element("span", "not all is known", class_="s-dim small")
