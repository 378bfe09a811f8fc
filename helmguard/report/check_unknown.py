"""What a check could not find out: of the repository, of single releases, of all releases alike."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.plan import Unknown
from helmguard.report.check_cells import release_names
from helmguard.report.fact_text import fact_text, facts_text
from helmguard.report.layout import wrapped
from helmguard.report.likely_findings import is_likely, likely_findings, likely_text
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line
from helmguard.report.styles import EMPTY, Line, Span, Style
from helmguard.report.unread_alike import unread_alike

_NAMED = 4
_RULES_NAMED = 6


class SharedUnknown(msgspec.Struct, frozen=True):
    """Something that is not known of ``releases`` alike; ``of_all``: of every one that was compared."""

    what: str
    why: str
    releases: tuple[str, ...]
    of_all: bool = False

    @property
    def text(self) -> str:
        """Why, and of which releases unless it is of all."""
        return self.why if self.of_all else f"{self.why} ({_listed(self.releases, _NAMED)})"


class UnansweredRules(msgspec.Struct, frozen=True):
    """The ``rules`` that said nothing of ``releases`` because of ``facts`` (names of the rules' context)."""

    rules: tuple[str, ...]
    facts: tuple[str, ...]
    releases: tuple[str, ...]

    def __str__(self) -> str:
        what = plural(len(self.rules), "rule")
        of = f"of {plural(len(self.releases), 'release')}"
        return f"{what} {of} cannot be answered without {facts_text(_plain(self.facts)) or 'what is missing'}"


def check_unknown(report: CheckReport, pen: Pen) -> Iterator[Line]:
    """Under one heading; nothing where all was found out."""
    unread = unread_alike(report)
    shared = shared_unknown(report, show_noise=pen.page.show_noise)
    rules = unanswered_rules(report)
    likely = likely_unknown(report)
    count = (
        len(report.unknown) + sum(len(one.names) for one in unread) + len(shared) + len(likely) + bool(rules)
    )
    if not count and not report.untouched:
        return
    counts: list[tuple[str, Style]] = [(str(count), "warning")] if count else [("nothing", "dim")]
    if report.untouched:
        counts.append((untouched_text(report), "dim"))
    yield from wrapped(counts_line("Unknown", counts, pen), pen.page.columns, HEADING_WIDTH)
    for one in likely:
        yield from _item(one.what, one.why, pen)
    for alike in unread:
        yield from _item(alike.title, alike.why, pen)
        if alike.remedy:
            yield from wrapped([Span("      "), pen.command(alike.remedy, "dim")], pen.page.columns, 8)
        if alike.listed:
            yield from wrapped([Span("      "), pen.text(alike.listed)], pen.page.columns, 6)
    for one in report.unknown:
        yield from _item(one.what, one.why, pen)
    for each in shared:
        yield from _item(each.what, each.text, pen)
    if rules is not None:
        names = _listed(rules.rules, len(rules.rules) if pen.page.show_noise else _RULES_NAMED)
        yield from _item(str(rules), names, pen)
    for one in report.untouched if pen.page.show_noise else ():
        yield from _item(one.what, one.why, pen)
    if report.untouched and not pen.page.show_noise:
        names = _listed(tuple(one.what for one in report.untouched), _NAMED)
        text = f"{names} (--show-noise says why)"
        yield from wrapped([Span("  = ", "dim"), pen.text(text, "dim")], pen.page.columns, 6)
    yield EMPTY


def untouched_text(report: CheckReport) -> str:
    """``24 things in files that stay as they are``: of these nothing changes."""
    return f"{plural(len(report.untouched), 'thing')} in files that stay as they are"


def shown_releases(report: CheckReport, *, show_noise: bool = False) -> list[CheckedRelease]:
    """The releases that have a section of their own."""
    quiet = () if show_noise else ("noise", "same")
    return [one for one in report.releases if one.plan is not None and one.state not in quiet]


def own_unknown(release: CheckedRelease) -> list[Unknown]:
    """What is not known of this release: of its declaration, and of its objects."""
    found = list(release.declared.unknown)
    if release.plan is not None and release.state != "same":
        resources = release.plan.resources
        found += [
            Unknown(str(one.prediction.key), one.prediction.unknown)
            for one in resources
            if one.prediction.unknown
        ]
        said = {one.what for one in found}
        found += [one for one in release.plan.unknown if one.what not in said and _is_of_object(one, release)]
    return list(dict.fromkeys(found))


def shared_unknown(report: CheckReport, *, show_noise: bool = False) -> list[SharedUnknown]:
    """What the plans do not know, each thing once with its releases.

    What ``own_unknown`` tells of a release that has a section stands there.
    """
    shown = {id(one) for one in shown_releases(report, show_noise=show_noise)}
    found: dict[tuple[str, str], list[CheckedRelease]] = {}
    by_itself: set[tuple[str, str]] = set()
    for release in report.releases:
        own = own_unknown(release)
        told = () if id(release) in shown else own
        rest = release.plan.unknown if release.plan is not None and release.state != "same" else ()
        of_plan = [one for one in rest if one not in own and not _is_of_object(one, release)]
        by_itself |= {(one.what, one.why) for one in told}
        for one in (*told, *of_plan):
            if one.why != release.why:
                found.setdefault((one.what, one.why), []).append(release)
    planned, known = sum(1 for _ in _planned(report)), release_names(report)
    return [
        SharedUnknown(
            what,
            why,
            tuple(known[one.declared.identity] for one in releases),
            of_all=len(releases) == planned and (what, why) not in by_itself,
        )
        for (what, why), releases in found.items()
    ]


def _is_of_object(one: Unknown, release: CheckedRelease) -> bool:
    """Whether it is about an object of the release, or a hook's."""
    plan = release.plan
    if plan is None:
        return False
    return any(str(each.prediction.key) == one.what for each in plan.resources) or any(
        f"{hook.kind}/{hook.name}" == one.what for hook in plan.hooks
    )


def likely_unknown(report: CheckReport) -> list[Unknown]:
    """Losses that only a live object could avert, each by object, release and rule."""
    names = release_names(report)
    return [
        Unknown(
            f"{finding.where.name} of {names[release.declared.identity]}",
            f"{likely_text(finding)} ({finding.rule})",
        )
        for release in report.releases
        for finding in likely_findings(release)
    ]


def unanswered_rules(report: CheckReport) -> UnansweredRules | None:
    """All rules that lacked a fact; None where none did."""
    rules: set[str] = set()
    facts: dict[str, None] = {}
    names: dict[str, None] = {}
    known = release_names(report)
    for release in _planned(report):
        for finding in release.plan.findings if release.plan is not None else ():
            if finding.result == "unknown" and not is_likely(finding):
                rules.add(finding.rule)
                facts.update(dict.fromkeys(finding.missing))
                names[known[release.declared.identity]] = None
    return UnansweredRules(tuple(sorted(rules)), tuple(sorted(facts)), tuple(names)) if rules else None


def _plain(facts: tuple[str, ...]) -> list[str]:
    """The facts without the one object's where all live objects are among them."""
    several = any(fact_text(fact) == "the live objects" for fact in facts)
    return [fact for fact in facts if not several or fact_text(fact) != "the live object"]


def _planned(report: CheckReport) -> Iterator[CheckedRelease]:
    """What is rendered the same is not concerned by what is live."""
    return (one for one in report.releases if one.plan is not None and one.state != "same")


def _item(what: str, why: str, pen: Pen) -> Iterator[Line]:
    spans = [Span("  ? ", "warning"), pen.text(what, "bold"), Span("  "), pen.prose(why)]
    yield from wrapped(spans, pen.page.columns, 6)


def _listed(names: tuple[str, ...], shown: int) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return f"{', '.join(names[:shown])}{more}"
