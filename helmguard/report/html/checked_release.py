"""A release of a check on the page: what declares it, who applies it, and its plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from helmguard.model.check_report import CheckedRelease
from helmguard.model.finding import Finding
from helmguard.report.check_exit_code import is_release_refused
from helmguard.report.check_release_page import Remark, controller_texts
from helmguard.report.check_unknown import own_unknown
from helmguard.report.finding_lines import placed
from helmguard.report.html.findings import remedy_text, severity_badges
from helmguard.report.html.markup import NOTHING, Markup, element, joined
from helmguard.report.html.other_sections import not_known
from helmguard.report.html.overview import QUIET, chart_text, release_anchor, state_spans
from helmguard.report.html.page_pen import PagePen, marked
from helmguard.report.html.release import ReleaseOptions, plan_sections


class ReleaseSection(msgspec.Struct, frozen=True):
    """How one release is shown.

    ``is_open``: it shows at first even where nothing in it needs eyes. ``like`` names another that looks
    alike and stands above. ``shared`` remarks stand elsewhere.
    """

    name: str
    is_open: bool = False
    like: str = ""
    shared: Mapping[Remark, int] = {}


def release_body(release: CheckedRelease, pen: PagePen, options: ReleaseOptions) -> Markup:
    """What its plan tells; what is not known of it where there is no plan."""
    unknown = [(item.what, item.why) for item in own_unknown(release) if item.why != release.why]
    if release.plan is not None:
        return plan_sections(placed(release.plan, release), unknown, pen, options)
    return not_known(unknown, pen) if unknown else NOTHING


def release_section(release: CheckedRelease, body: Markup, pen: PagePen, section: ReleaseSection) -> Markup:
    """One release, to be folded."""
    return element(
        "details",
        element("summary", _title(release, pen, section)),
        element("div", _facts(release, pen, section), _why(release, pen), body),
        class_="release",
        id=release_anchor(release),
        open=not section.like and (section.is_open or _needs_reading(release)),
    )


def _needs_reading(release: CheckedRelease) -> bool:
    if is_release_refused(release):
        return True
    fired = release.plan.findings if release.plan is not None else ()
    return release.state not in QUIET and any(map(_needs_eyes, fired))


def _needs_eyes(finding: Finding) -> bool:
    return finding.result == "fires" and finding.waived is None and finding.severity in ("blocker", "danger")


def _title(release: CheckedRelease, pen: PagePen, section: ReleaseSection) -> Markup:
    badges = severity_badges(release.plan.findings, pen) if release.plan is not None else []
    return joined(
        [
            marked(state_spans(release)),
            " ",
            element("h3", pen.text(section.name).text),
            *(joined([" ", badge]) for badge in badges),
            element("span", f" looks like {pen.text(section.like).text} but for its name", class_="s-dim")
            if section.like
            else NOTHING,
            element("span", pen.text(release.declared.identity).text, class_="where"),
        ]
    )


def _facts(release: CheckedRelease, pen: PagePen, section: ReleaseSection) -> Markup:
    rows = [row for name, texts in _fact_rows(release, pen, section.shared) for row in _fact(name, texts)]
    return element("dl", *rows, class_="facts own")


def _fact_rows(
    release: CheckedRelease, pen: PagePen, shared: Mapping[Remark, int]
) -> Iterator[tuple[str, list[Markup | str]]]:
    declared = release.declared
    if release.because:
        yield "because", [pen.prose(text).text for text in release.because]
    if declared.place.file:
        yield "declared", [element("code", pen.text(str(declared.place)).text, class_="file")]
    asked = str(declared.chart) if release.plan is None else ""
    yield "chart", [chart_text(release, pen), *([pen.text(asked).text] if asked else [])]
    yield (
        "applied by",
        [pen.prose(text).text for text in controller_texts(release, shared) or [declared.controller.name]],
    )
    if release.plan is not None and release.plan.notes:
        yield "note", [pen.prose(note).text for note in release.plan.notes]


def _fact(name: str, texts: list[Markup | str]) -> Iterator[Markup]:
    yield element("dt", name)
    yield element("dd", *(element("div", text) for text in texts))


def _why(release: CheckedRelease, pen: PagePen) -> Markup:
    if not release.why:
        return NOTHING
    remedy = element("p", remedy_text(release.remedy, pen)) if release.remedy else None
    return element("div", element("p", pen.prose(release.why).text), remedy, class_="why item")
