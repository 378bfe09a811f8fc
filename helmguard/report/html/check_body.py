"""What stands below the verdict of a check: a line a release, what is not known, then each release."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.plan import Plan
from helmguard.report.alike_releases import alike_releases
from helmguard.report.check_cells import release_names
from helmguard.report.check_page import all_notes
from helmguard.report.check_release_page import shared_remarks
from helmguard.report.check_unknown import (
    likely_unknown,
    shared_unknown,
    unanswered_rules,
    untouched_text,
)
from helmguard.report.html.checked_release import ReleaseSection, release_body, release_section
from helmguard.report.html.findings import remedy_text
from helmguard.report.html.markup import NOTHING, Markup, element, joined
from helmguard.report.html.objects import YamlRoom
from helmguard.report.html.other_sections import not_known
from helmguard.report.html.overview import QUIET, release_table
from helmguard.report.html.page_pen import PagePen, anchor, folded
from helmguard.report.html.release import ReleaseOptions
from helmguard.report.plan_counts import is_noise, objects_of
from helmguard.report.plural import plural
from helmguard.report.unread_alike import unread_alike

YAML_ROOM = 4_000_000
"""Characters of YAML on one page; a browser opens that without a wait."""
OPEN_OBJECTS = 150
"""With more objects on the page, all are folded at first."""
_OPEN_RELEASES = 5
"""With more of them, those that need no eyes are folded at first."""
_TAGS = re.compile("<[^>]*>")


def check_body(report: CheckReport, releases: Sequence[CheckedRelease], pen: PagePen) -> Iterator[Markup]:
    """The ``releases`` in the order given; those that look alike behind the first of them, folded."""
    loud = [release for release in releases if release.state not in QUIET]
    quiet = [release for release in releases if release.state in QUIET]
    unread = [release for release in releases if release.state == "unknown"]
    if loud:
        yield release_table(loud, pen)
    yield from _unknown_and_notes(report, pen)
    room = YamlRoom(YAML_ROOM)
    are_open = changed_objects([one.plan for one in loud if one.plan is not None]) <= OPEN_OBJECTS
    names, shared = release_names(report), shared_remarks(report)

    def body(release: CheckedRelease) -> Markup:
        return release_body(
            release, pen, ReleaseOptions(anchor("in", release.declared.identity), room, are_open)
        )

    def section(release: CheckedRelease, inner: Markup, like: str = "") -> Markup:
        alike = unread if release.state == "unknown" else loud
        is_open = len(alike) <= _OPEN_RELEASES and release.state not in QUIET
        shown = ReleaseSection(names[release.declared.identity], is_open, like, shared)
        return release_section(release, inner, pen, shown)

    bodies = {id(one): body(one) for one in loud}
    for group in alike_releases(loud, lambda one: _said(one, bodies[id(one)])):
        first, *others = group
        yield section(first, bodies[id(first)])
        name = names[first.declared.identity]
        yield from (section(one, bodies[id(one)], name) for one in others)
    if quiet:
        title = f"{plural(len(quiet), 'release')} whose inputs differ and in which nothing of weight changes"
        yield folded(title, joined(section(one, body(one)) for one in quiet), class_="quiet")
    if not releases:
        yield element("p", "No release is concerned.", class_="s-dim")


def _said(release: CheckedRelease, body: Markup) -> str:
    """What is said of the release, without the ids of its parts."""
    return _TAGS.sub(" ", body) if body else f"{release.why} {release.declared.identity}"


def _unknown_and_notes(report: CheckReport, pen: PagePen) -> Iterator[Markup]:
    """What is not known of the repository or of several releases, said once; the remarks for the reader."""
    items = [(item.what, item.why) for item in (*likely_unknown(report), *report.unknown)]
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
    told = all_notes(report)
    if told:
        notes = (element("li", pen.prose(note).text, class_="item") for note in told)
        yield element("section", element("h2", "Notes"), element("ul", *notes, class_="plain"))


def _unread_alike(report: CheckReport, pen: PagePen) -> Iterator[Markup]:
    """Releases that could not be compared for one and the same reason: it and what helps are said once."""
    for alike in unread_alike(report):
        if alike.listed:
            title = pen.prose(f"{alike.title} not compared: {alike.why}").text
            said = element("p", remedy_text(alike.remedy, pen)) if alike.remedy else NOTHING
            yield folded(title, said, element("p", pen.text(alike.listed).text), class_="item")


def changed_objects(plans: Sequence[Plan]) -> int:
    """How many objects have an entry of their own."""
    return sum(
        item.action != "unchanged" and not is_noise(item) for plan in plans for item in objects_of(plan)
    )
