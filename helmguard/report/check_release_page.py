"""One release of a check: what it is, what is dangerous about the change, and the change itself."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.plan import Plan
from helmguard.report.check_cells import STATE_SIGNS, release_name
from helmguard.report.check_unknown import own_unknown
from helmguard.report.config_use import config_use
from helmguard.report.drift import drift
from helmguard.report.failure import failure
from helmguard.report.findings import findings
from helmguard.report.header import charts_text
from helmguard.report.hooks import hooks
from helmguard.report.layout import wrapped
from helmguard.report.notes import notes
from helmguard.report.objects import objects
from helmguard.report.page import Pen
from helmguard.report.section import dotted
from helmguard.report.server_dry_run import server_dry_run
from helmguard.report.styles import EMPTY, Line, Span
from helmguard.report.unknown import unknown_lines, unstable
from helmguard.report.values import values

_RULE_WIDTH = 60


def release_section(release: CheckedRelease, report: CheckReport, pen: Pen) -> Iterator[Line]:
    """A rule, the head, and the plan's sections; what is not known of every release stands elsewhere."""
    plan = release.plan
    if plan is None:
        return
    yield rule_line(pen)
    yield from _head(release, plan, pen)
    yield EMPTY
    plan = told_plan(plan)
    yield from failure(plan, pen)
    yield from findings(plan, pen)
    yield from values(plan, pen)
    yield from objects(plan, pen)
    yield from hooks(plan, pen)
    if report.live != "none":
        yield from drift(plan, pen)
    yield from notes(plan, pen)
    yield from config_use(plan, pen)
    if report.live != "none":
        yield from server_dry_run(plan, pen)
    yield from unstable(plan, pen)
    yield from unknown_lines([(one.what, one.why) for one in own_unknown(release)], pen)


def rule_line(pen: Pen) -> Line:
    """What stands between releases."""
    return (Span("-" * min(pen.page.columns, _RULE_WIDTH), "dim"),)


def told_plan(plan: Plan) -> Plan:
    """The plan without what the common section of what is not known tells of all releases."""
    findings = tuple(one for one in plan.findings if one.result == "fires")
    return replace(plan, findings=findings, unknown=())


def _head(release: CheckedRelease, plan: Plan, pen: Pen) -> Iterator[Line]:
    declared = release.declared
    sign, style = STATE_SIGNS[release.state]
    title = [
        Span(sign, style),
        Span(" "),
        pen.text(release_name(release), "bold"),
        Span(f" {pen.symbols.dot} ", "dim"),
        pen.text(charts_text(plan.release.chart, plan.release.new_chart, pen)),
    ]
    yield from wrapped(title, pen.page.columns, 4)
    yield from _detail([pen.text(declared.identity), pen.text(str(declared.place), "dim")], pen)
    if release.because:
        yield from _detail([pen.prose(text) for text in release.because], pen)
    for remark in controller_texts(release):
        yield from wrapped([Span("  "), pen.prose(remark)], pen.page.text_width, 4)
    for note in plan.notes:
        yield from wrapped([Span("  "), pen.prose(note, "dim")], pen.page.text_width, 4)


def _detail(parts: list[Span], pen: Pen) -> list[Line]:
    return wrapped([Span("  "), *dotted([part for part in parts if part.text], pen)], pen.page.columns, 4)


def controller_texts(release: CheckedRelease) -> list[str]:
    """What carries the change out, in sentences; what it would do anyhow is not said."""
    declared = release.declared
    controller = declared.controller
    said = list(controller.remarks)
    if release.state == "removed":
        said.insert(0, _REMOVED[controller.deletes])
    elif controller.prunes is False:
        said.insert(0, "leaves objects that leave the manifest")
    elif controller.prunes is None:
        said.insert(0, "whether objects that leave the manifest are deleted is not known")
    return [f"{controller.name}: {'; '.join(said)}"] if said else []


_REMOVED = {
    True: "deletes the release's objects",
    False: "leaves the release's objects in the cluster",
    None: "whether the release's objects are deleted is not known",
}
