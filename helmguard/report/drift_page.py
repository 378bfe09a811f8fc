"""The drift of one release as a page for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from helmguard.compare.object_drift import ObjectDrift, drift_of
from helmguard.compare.weight import restarts_pods
from helmguard.masking.masker import Masker
from helmguard.model.field_change import FieldChange
from helmguard.model.plan import LeftOver, Plan
from helmguard.model.resource_key import ResourceKey
from helmguard.report.config_use import config_use
from helmguard.report.drift_fields import drift_fields, moment
from helmguard.report.drift_header import drift_header, release_state
from helmguard.report.drift_json import finalizers_of
from helmguard.report.drift_verdict import drift_verdict
from helmguard.report.findings import findings
from helmguard.report.layout import wrapped
from helmguard.report.notes import notes
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.remedies import remedies
from helmguard.report.section import HEADING_WIDTH, counts_line
from helmguard.report.styles import EMPTY, Line, Span, Style, to_text
from helmguard.report.unknown import unknown

_OF_NO_API = frozenset(["stored-manifest-api-removed", "cr-kind-missing"])
_TOLD_BELOW = frozenset(["orphaned-by-failed-revision", *_OF_NO_API])
"""Findings whose objects have a section of their own."""

_Fields = Callable[[ObjectDrift], Sequence[FieldChange]]


def render_drift(plan: Plan, page: Page, masker: Masker, *, quiet: bool = False) -> str:
    """The whole page, or with ``quiet`` its last line; ends with a line feed."""
    pen = Pen(page, masker)
    last = drift_verdict(plan)
    if quiet:
        return to_text([last], colour=page.colour)
    lines = [EMPTY, *drift_lines(plan, pen), *wrapped(last, page.columns)]
    return to_text(lines, colour=page.colour)


def drift_lines(plan: Plan, pen: Pen) -> Iterator[Line]:
    """All but the verdict: what is gone first, then what will fail, be set back, stay."""
    objects = list(drift_of(plan))
    yield from drift_header(plan, pen)
    yield EMPTY
    yield from release_state(plan, pen)
    others = _without_failures(plan)
    yield from findings(others, pen)
    yield from _missing(objects, plan, pen)
    yield from _being_deleted(objects, plan, pen)
    yield from _not_served(objects, plan, pen)
    yield from _will_fail(objects, plan, pen)
    yield from _fields(
        "Reverted", "set back by the next upgrade", objects, lambda item: item.reverted, plan, pen
    )
    yield from _fields("Kept", "left by the next upgrade", objects, lambda item: item.kept, plan, pen)
    yield from _fields(
        "Latent",
        "equal now, with another owner: the next change to it in the chart will fail",
        objects,
        lambda item: item.latent,
        plan,
        pen,
    )
    yield from _fields(
        "Owner", "Helm's marks are not this release's", objects, lambda item: item.marks, plan, pen
    )
    yield from left_over(plan.left_over, plan.release.namespace, pen)
    yield from notes(others, pen)
    yield from config_use(plan, pen)
    yield from unknown(plan, pen)


def _without_failures(plan: Plan) -> Plan:
    """Of what the rules found, what is beyond the failures, which have sections of their own."""
    said = {resource.prediction.error for resource in plan.resources}
    said.add(plan.failure.message if plan.failure else "")
    others = tuple(
        finding
        for finding in plan.findings
        if finding.consequence not in said and finding.rule not in _TOLD_BELOW
    )
    return replace(plan, findings=others)


def _missing(objects: list[ObjectDrift], plan: Plan, pen: Pen) -> Iterator[Line]:
    missing = [item for item in objects if item.missing]
    if not missing:
        return
    yield from _heading(
        "Missing", plural(len(missing), "object"), "created again by the next upgrade", pen, "bad"
    )
    for item in missing:
        yield from _object(item, plan, pen, Span("-", "bad"))
    yield EMPTY


def _being_deleted(objects: list[ObjectDrift], plan: Plan, pen: Pen) -> Iterator[Line]:
    going = [item for item in objects if item.deleting_since]
    if not going:
        return
    yield from _heading("Going", plural(len(going), "object"), "being deleted, then missing", pen, "bad")
    for item in going:
        waits = ", ".join(finalizers_of(item))
        text = f"since {moment(item.deleting_since)}" + (f", waits for {waits}" if waits else "")
        yield from _object(item, plan, pen, Span("-", "bad"), text)
    yield EMPTY


def _not_served(objects: list[ObjectDrift], plan: Plan, pen: Pen) -> Iterator[Line]:
    gone = [item for item in objects if item.not_served]
    if not gone:
        return
    why = "kind no longer served: every upgrade will be refused"
    yield from _heading("No API", plural(len(gone), "object"), why, pen, "bad")
    for item in gone:
        yield from _object(
            item, plan, pen, Span(pen.symbols.fail, "bad"), item.resource.prediction.api_version
        )
    told = [finding.remedy for finding in plan.findings if finding.rule in _OF_NO_API and finding.remedy]
    for texts in dict.fromkeys(told):
        yield from remedies(texts, pen, 4, 10)
    yield EMPTY


def _will_fail(objects: list[ObjectDrift], plan: Plan, pen: Pen) -> Iterator[Line]:
    """Conflicts, and objects that Helm fails on for another reason."""
    why = "others own these fields: the next upgrade fails"
    yield from _fields("Conflict", why, objects, lambda item: item.conflicts, plan, pen)
    failing = [item for item in objects if item.will_fail]
    if failing:
        yield from _heading("Fails", plural(len(failing), "object"), "the next upgrade fails", pen, "bad")
        for item in failing:
            yield from _object(item, plan, pen, Span(pen.symbols.fail, "bad"), item.will_fail)
        yield EMPTY


def _fields(
    name: str, why: str, objects: list[ObjectDrift], fields: _Fields, plan: Plan, pen: Pen
) -> Iterator[Line]:
    adrift = [(item, fields(item)) for item in objects if fields(item)]
    if not adrift:
        return
    count = plural(sum(len(changes) for _, changes in adrift), "field")
    style: Style = {"Conflict": "bad", "Latent": "info"}.get(name, "warning")  # type: ignore[assignment]
    yield from _heading(name, count, why, pen, style)
    for item, changes in adrift:
        sign = Span(pen.symbols.fail, "bad") if name == "Conflict" else Span("~", style)
        restarts = name == "Reverted" and restarts_pods(item.resource)
        yield from _object(item, plan, pen, sign, "setting it back restarts pods" if restarts else "")
        yield from drift_fields(item.resource.prediction.key, changes, pen)
    if name == "Conflict":
        remedy = "helm upgrade --force-conflicts takes the fields over; or drop them from the chart's values"
        yield from _remedy(remedy, pen)
    yield EMPTY


def left_over(found: Sequence[LeftOver], namespace: str, pen: Pen) -> Iterator[Line]:
    """The live objects that no deployed manifest holds, under a heading; ``namespace`` is the release's."""
    if not found:
        return
    kept = sum(left.kept for left in found)
    deployed = sum(left.status == "deployed" and not left.kept for left in found)
    counts: list[tuple[str, Style]] = []
    if len(found) > kept + deployed:
        count = plural(len(found) - kept - deployed, "object")
        counts.append((f"{count} in no deployed revision", "warning"))
    if deployed:
        counts.append((f"{plural(deployed, 'object')} of the deployed revision alone", "warning"))
    if kept:
        counts.append((f"{kept} kept on purpose", "dim"))
    yield from wrapped(counts_line("Left over", counts, pen), pen.page.text_width, HEADING_WIDTH)
    for left in found:
        origin = f"revision {left.revision} ({left.status})" if left.revision else "no stored revision"
        text = f"of {origin}, created {moment(left.created)}"
        sign = Span("=", "dim") if left.kept else Span("+", "warning")
        yield from named_object(
            left.key, namespace, pen, sign, text + (", kept on purpose" if left.kept else "")
        )
    yield EMPTY


def _heading(name: str, count: str, why: str, pen: Pen, style: Style) -> list[Line]:
    spans = counts_line(name, [(count, style)], pen)
    return wrapped([*spans, Span(f" {pen.symbols.dash} {why}", "dim")], pen.page.text_width, HEADING_WIDTH)


def _object(item: ObjectDrift, plan: Plan, pen: Pen, sign: Span, text: str = "") -> list[Line]:
    return named_object(item.resource.prediction.key, plan.release.namespace, pen, sign, text)


def named_object(key: ResourceKey, namespace: str, pen: Pen, sign: Span, text: str) -> list[Line]:
    """An object on a line of its own; ``namespace`` is the release's, where its own need not be named."""
    spans = [Span("  "), sign, Span(" "), pen.text(str(key), "bold")]
    if key.namespace is not None and key.namespace != namespace:
        spans.append(pen.text(f" in {key.namespace}"))
    if text:
        spans += [Span("  "), pen.prose(text, "dim")]
    return wrapped(spans, pen.page.columns, 6)


def _remedy(text: str, pen: Pen) -> list[Line]:
    return wrapped([Span("    instead   ", "dim"), Span(text)], pen.page.text_width, 14)
