"""The top of a drift page: which release in which state, and which Helm would act on it."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.plan import Plan
from helmguard.model.release import PENDING_STATUSES
from helmguard.report.drift_fields import moment
from helmguard.report.header import is_helm_4
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.section import dotted
from helmguard.report.styles import EMPTY, Line, Span, Style

_METHODS = {"csa": "client-side, three-way", "ssa": "server-side"}


def drift_header(plan: Plan, pen: Pen) -> Iterator[Line]:
    """Two lines, and the planner's notes."""
    release, engine = plan.release, plan.engine
    parts = [pen.text(release.name, "bold"), pen.text(f"namespace {release.namespace}")]
    base = f"revision {release.from_revision}"
    if release.from_revision == release.last_revision:
        parts.append(pen.text(f"{base} {release.status}", "" if release.status == "deployed" else "warning"))
    else:
        parts.append(pen.text(f"{base} {release.from_status or 'deployed'}"))
        style: Style = "" if release.status == "deployed" else "warning"
        parts.append(pen.text(f"revision {release.last_revision} {release.status}", style))
    parts.append(pen.text(f"chart {release.new_chart.name} {release.new_chart.version}".rstrip()))
    yield from wrapped(dotted(parts, pen), pen.page.columns, 2)
    method = f"Helm {engine.helm} would apply {_METHODS[engine.apply_method]}"
    if engine.why and is_helm_4(engine.helm):
        method += f" ({engine.why})"
    yield from wrapped([pen.text(method)], pen.page.text_width, 2)
    for note in plan.notes:
        yield from wrapped([pen.text(note, "dim")], pen.page.text_width, 2)


def release_state(plan: Plan, pen: Pen) -> Iterator[Line]:
    """A release that no upgrade can start from, and what is wrong with its records."""
    release = plan.release
    if release.status in PENDING_STATUSES:
        since = f" since {moment(release.changed)}" if release.changed else ""
        text = f"revision {release.last_revision} is {release.status}{since}: every upgrade will be refused"
        yield from wrapped([Span(f"{pen.symbols.fail} ", "bad"), pen.text(text, "bad")], pen.page.columns, 2)
        if release.from_revision is not None and release.from_revision != release.last_revision:
            back = f"helm rollback {release.name} {release.from_revision} -n {release.namespace}"
            yield from wrapped([Span("    instead   ", "dim"), pen.command(back)], pen.page.columns, 14)
        yield EMPTY
    elif plan.failure is not None and plan.failure.stage == "before" and plan.failure.resource is None:
        yield from wrapped(
            [
                Span(f"{pen.symbols.fail} ", "bad"),
                pen.prose(f"the next upgrade will fail: {plan.failure.message}"),
            ],
            pen.page.text_width,
            2,
        )
        yield EMPTY
    for damaged in release.damaged:
        text = f"a record cannot be read, and Helm skips it: {damaged}"
        yield from wrapped([Span("! ", "warning"), pen.prose(text)], pen.page.text_width, 2)
    if release.damaged:
        yield EMPTY
