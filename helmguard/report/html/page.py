"""A check, or a plan, as one file that a browser shows: nothing is loaded from anywhere."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckReport
from helmguard.model.plan import Plan
from helmguard.report.check_cells import gravest_first
from helmguard.report.check_verdict import check_verdict
from helmguard.report.header import header
from helmguard.report.html.check_body import OPEN_OBJECTS, YAML_ROOM, changed_objects, check_body
from helmguard.report.html.document import document
from helmguard.report.html.findings import severity_badges
from helmguard.report.html.markup import element, joined
from helmguard.report.html.objects import YamlRoom
from helmguard.report.html.other_sections import Item
from helmguard.report.html.overview import (
    counted_states,
    found_badges,
    heading,
    verdict_box,
)
from helmguard.report.html.page_pen import anchor, marked, pen_for
from helmguard.report.html.release import ReleaseOptions, plan_sections
from helmguard.report.plan_title import plan_title
from helmguard.report.unknown import unknown_items
from helmguard.report.verdict import verdict


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
        joined(check_body(report, releases, pen)),
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
        YamlRoom(YAML_ROOM),
        objects_open=changed_objects([plan]) <= OPEN_OBJECTS,
        rules=True,
    )
    box = verdict_box(verdict(plan), severity_badges(plan.findings, pen), "")
    text = "".join(span.text for span in title)
    body = element("div", plan_sections(plan, _unknown_of(plan), pen, options), class_="plan")
    return document(f"helmguard: {text}", joined([*head, box]), body, releases=False)


def _unknown_of(plan: Plan) -> list[Item]:
    """What is not known of a plan beside the rules that lack facts, and why."""
    fired = tuple(finding for finding in plan.findings if finding.result == "fires")
    return unknown_items(replace(plan, findings=fired))
