"""One release of a check: what it is, what is dangerous about the change, and the change itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.plan import Plan
from helmguard.report.alike_releases import alike_text
from helmguard.report.check_cells import STATE_SIGNS, release_names
from helmguard.report.check_unknown import own_unknown, shown_releases
from helmguard.report.config_use import config_use
from helmguard.report.drift import drift
from helmguard.report.failure import failure
from helmguard.report.finding_lines import placed
from helmguard.report.findings import findings
from helmguard.report.header import charts_text
from helmguard.report.hooks import hooks
from helmguard.report.layout import wrapped
from helmguard.report.notes import notes
from helmguard.report.objects import objects
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.section import dotted
from helmguard.report.server_dry_run import server_dry_run
from helmguard.report.styles import EMPTY, Line, Span
from helmguard.report.unknown import unknown_lines, unstable
from helmguard.report.values import values

Remark: TypeAlias = tuple[str, str]
"""A controller's name, and a sentence about what it does."""

_RULE_WIDTH = 60


def release_head(group: Sequence[CheckedRelease], report: CheckReport, pen: Pen) -> Iterator[Line]:
    """A rule, what the first release is, and which others look alike."""
    yield rule_line(pen)
    yield from _head(group[0], report, pen)
    if len(group) > 1:
        names = release_names(report)
        text = alike_text([names[one.declared.identity] for one in group[1:]])
        yield from wrapped([Span("  "), pen.text(text, "bold")], pen.page.text_width, 4)
    yield EMPTY


def release_body(release: CheckedRelease, report: CheckReport, pen: Pen) -> Iterator[Line]:
    """The plan's sections; what is not known of every release stands elsewhere."""
    if release.plan is None:
        return
    plan = placed(told_plan(release.plan), release, declared=False)
    if release.state == "removed":
        plan = _without_whys(plan)
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


def _without_whys(plan: Plan) -> Plan:
    """Of a release that goes as a whole the head says why its objects do."""
    resources = (replace(one, prediction=replace(one.prediction, why="")) for one in plan.resources)
    return replace(plan, resources=tuple(resources))


def _head(release: CheckedRelease, report: CheckReport, pen: Pen) -> Iterator[Line]:
    declared, plan = release.declared, release.plan
    assert plan is not None
    sign, style = STATE_SIGNS[release.state]
    title = [
        Span(sign, style),
        Span(" "),
        pen.text(release_names(report)[declared.identity], "bold"),
        Span(f" {pen.symbols.dot} ", "dim"),
        pen.text(chart_words(release, pen)),
    ]
    yield from wrapped(title, pen.page.columns, 4)
    yield from _detail([pen.text(declared.identity), pen.text(str(declared.place), "dim")], pen)
    if release.because:
        yield from _detail([pen.prose(text) for text in release.because], pen)
    for remark in controller_texts(release, shared_remarks(report)):
        yield from wrapped([Span("  "), pen.prose(remark)], pen.page.text_width, 4)
    for note in plan.notes:
        yield from wrapped([Span("  "), pen.prose(note, "dim")], pen.page.text_width, 4)


def chart_words(release: CheckedRelease, pen: Pen) -> str:
    """``chart web 1.0.0 -> 1.1.0``; of a release that goes the one it had."""
    assert release.plan is not None
    summary = release.plan.release
    if release.state == "removed":
        return charts_text(None, summary.chart or summary.new_chart, pen)
    return charts_text(summary.chart, summary.new_chart, pen)


def _detail(parts: list[Span], pen: Pen) -> list[Line]:
    return wrapped([Span("  "), *dotted([part for part in parts if part.text], pen)], pen.page.columns, 4)


def controller_texts(release: CheckedRelease, shared: Mapping[Remark, int] | None = None) -> list[str]:
    """What carries the change out, in sentences; neither what it would do anyhow nor what is ``shared``."""
    controller = release.declared.controller
    said = [text for text in controller.remarks if (controller.name, text) not in (shared or {})]
    if release.state == "removed":
        said.insert(0, _REMOVED[controller.deletes])
    elif controller.prunes is False:
        said.insert(0, "leaves objects that leave the manifest")
    elif controller.prunes is None:
        said.insert(0, "whether objects that leave the manifest are deleted is not known")
    return [f"{controller.name}: {'; '.join(said)}"] if said else []


def shared_remarks(report: CheckReport) -> Mapping[Remark, int]:
    """What a controller does with more than one of the releases shown, and with how many."""
    counts = Counter(
        (one.declared.controller.name, text)
        for one in shown_releases(report)
        for text in one.declared.controller.remarks
    )
    return {remark: count for remark, count in counts.items() if count > 1}


def shared_texts(report: CheckReport) -> list[str]:
    """The same in sentences, for one place of the page."""
    found = shared_remarks(report).items()
    return [f"{name}, {plural(count, 'release')}: {text}" for (name, text), count in found]


_REMOVED = {
    True: "deletes the release's objects",
    False: "leaves the release's objects in the cluster",
    None: "whether the release's objects are deleted is not known",
}
