"""A check, or a plan, as one file that a browser shows: nothing is loaded from anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.plan import Plan
from helmguard.report.check_cells import gravest_first, release_name
from helmguard.report.check_unknown import shared_unknown, unanswered_rules, unread_releases, untouched_text
from helmguard.report.check_verdict import check_verdict
from helmguard.report.header import header
from helmguard.report.html.checked_release import release_section
from helmguard.report.html.document import document
from helmguard.report.html.findings import remedy_text, severity_badges
from helmguard.report.html.markup import NOTHING, Markup, element, joined
from helmguard.report.html.objects import YamlRoom
from helmguard.report.html.other_sections import Item, not_known
from helmguard.report.html.overview import (
    QUIET,
    counted_states,
    found_badges,
    heading,
    release_table,
    verdict_box,
)
from helmguard.report.html.page_pen import PagePen, anchor, folded, marked, pen_for
from helmguard.report.html.release import ReleaseOptions, plan_sections
from helmguard.report.plan_counts import is_noise, objects_of
from helmguard.report.plan_title import plan_title
from helmguard.report.plural import plural
from helmguard.report.unknown import unknown_items
from helmguard.report.verdict import verdict

_YAML_ROOM = 4_000_000
"""Characters of YAML on one page; a browser opens that without a wait."""
_OPEN_OBJECTS = 150
"""With more objects on the page, all are folded at first."""

_OPEN_RELEASES = 5
"""With more of them, those that need no eyes are folded at first."""


def render_html(report: CheckReport, masker: Masker) -> str:
    """The check's page: the verdict, a line a release, then each release, those that need eyes first.

    The same report gives the same page, but for the masker's salt, which no text shows.
    """
    pen = pen_for(masker)
    releases = gravest_first(report.releases)
    return document(
        pen.text(f"helmguard: {report.base} {pen.symbols.arrow} {report.head}").text,
        joined(
            [
                heading(report, pen),
                verdict_box(check_verdict(report), found_badges(report, pen), counted_states(report)),
            ]
        ),
        joined(_check_body(report, releases, pen)),
        releases=True,
    )


def render_plan_html(plan: Plan, masker: Masker) -> str:
    """The page of one plan: its verdict first, then what led to it."""
    pen = pen_for(masker)
    title = plan_title(plan, pen)
    head = [element("h1", marked(title[:2]))]
    head += [element("p", marked(line), class_="sides") for line in header(plan, pen) if line]
    options = ReleaseOptions(
        anchor("plan", plan.release.namespace, plan.release.name),
        YamlRoom(_YAML_ROOM),
        objects_open=_changed_objects([plan]) <= _OPEN_OBJECTS,
        rules=True,
    )
    box = verdict_box(verdict(plan), severity_badges(plan.findings, pen), "")
    text = "".join(span.text for span in title)
    body = element("div", plan_sections(plan, _unknown_of(plan), pen, options), class_="plan")
    return document(f"helmguard: {text}", joined([*head, box]), body, releases=False)


def _check_body(report: CheckReport, releases: Sequence[CheckedRelease], pen: PagePen) -> Iterator[Markup]:
    loud = [release for release in releases if release.state not in QUIET]
    quiet = [release for release in releases if release.state in QUIET]
    unread = [release for release in releases if release.state == "unknown"]
    if loud:
        yield release_table(loud, pen)
    yield from _unknown_and_notes(report, pen)
    room = YamlRoom(_YAML_ROOM)
    are_open = _changed_objects([one.plan for one in loud if one.plan is not None]) <= _OPEN_OBJECTS

    def section(release: CheckedRelease) -> Markup:
        options = ReleaseOptions(anchor("in", release.declared.identity), room, are_open)
        alike = unread if release.state == "unknown" else loud
        is_open = len(alike) <= _OPEN_RELEASES and release.state not in QUIET
        return release_section(release, pen, options, is_open=is_open)

    yield joined(map(section, loud))
    if quiet:
        title = f"{plural(len(quiet), 'release')} whose inputs differ and in which nothing of weight changes"
        yield folded(title, joined(map(section, quiet)), class_="quiet")
    if not releases:
        yield element("p", "No release is concerned.", class_="s-dim")


def _unknown_and_notes(report: CheckReport, pen: PagePen) -> Iterator[Markup]:
    """What is not known of the repository or of several releases, said once; the remarks for the reader."""
    items = [(item.what, item.why) for item in report.unknown]
    items += [(one.what, one.text) for one in shared_unknown(report)]
    rules = unanswered_rules(report)
    parts = [*_unread_alike(report, pen), *([not_known(items, pen)] if items else [])]
    if rules is not None:
        title = pen.prose(str(rules)).text
        named = (element("li", element("code", pen.text(rule).text)) for rule in rules.rules)
        parts.append(folded(title, element("ul", *named), class_="item"))
    if report.untouched:
        untouched = not_known([(item.what, item.why) for item in report.untouched], pen)
        parts.append(folded(untouched_text(report), untouched, class_="item"))
    if parts:
        yield element("section", element("h2", "Not known"), *parts, class_="unknown")
    if report.notes:
        notes = (element("li", pen.prose(note).text, class_="item") for note in report.notes)
        yield element("section", element("h2", "Notes"), element("ul", *notes, class_="plain"))


def _unread_alike(report: CheckReport, pen: PagePen) -> Iterator[Markup]:
    """Releases that could not be compared for one and the same reason: it and what helps are said once."""
    alike: dict[tuple[str, str], list[str]] = {}
    for release in unread_releases(report):
        alike.setdefault((release.why, release.remedy), []).append(release_name(release))
    for (why, remedy), names in alike.items():
        if len(names) > 1:
            title = pen.prose(f"{plural(len(names), 'release')} not compared: {why}").text
            said = element("p", remedy_text(remedy, pen)) if remedy else NOTHING
            yield folded(title, said, element("p", pen.text(", ".join(names)).text), class_="item")


def _unknown_of(plan: Plan) -> list[Item]:
    """What is not known of a plan beside the rules that lack facts, and why."""
    fired = tuple(finding for finding in plan.findings if finding.result == "fires")
    return unknown_items(replace(plan, findings=fired))


def _changed_objects(plans: Sequence[Plan]) -> int:
    return sum(
        item.action != "unchanged" and not is_noise(item) for plan in plans for item in objects_of(plan)
    )
