"""What happens to each object."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.weight import is_counted, restarts_pods
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.alike import alike, alike_lines
from helmguard.report.counts_text import object_counts
from helmguard.report.field_rows import field_lines
from helmguard.report.layout import wrapped
from helmguard.report.object_summary import object_summary
from helmguard.report.page import Pen
from helmguard.report.plan_counts import is_noise, objects_of
from helmguard.report.section import HEADING_WIDTH, counts_line
from helmguard.report.styles import EMPTY, Line, Span
from helmguard.report.symbols import action_sign, action_word, compared_word
from helmguard.report.yaml_diff import yaml_diff

_EXPLAINED = frozenset(["keep", "adopt", "replace", "delete", "fail"])


_CAUSES = {"lost override": "lost override", "values": "your values", "default": "chart default"}
"""Why an object comes or goes, where it is not simply the chart's or somebody's who deleted it."""


def objects(plan: Plan, pen: Pen) -> Iterator[Line]:
    """The objects that change, in Helm's order; unchanged ones and noise are numbers."""
    yield from wrapped(counts_line("Objects", object_counts(plan), pen), pen.page.text_width, HEADING_WIDTH)
    shown = [resource for resource in objects_of(plan) if is_shown(resource, pen)]
    whole = pen.page.show_noise or pen.page.context is not None
    groups = {} if whole else alike(shown, pen)
    folded = {key for others in groups.values() for key in others}
    for resource in shown:
        key = resource.prediction.key
        if key not in folded:
            yield from object_lines(resource, plan, pen)
            yield from alike_lines(groups[key], pen) if key in groups else ()
    yield EMPTY


def object_lines(resource: ResourceChange, plan: Plan, pen: Pen) -> Iterator[Line]:
    """One object: what happens to it, and its fields below."""
    yield from wrapped([Span("  "), *object_head(resource, plan, pen)], pen.page.columns, 6)
    yield from _body(resource, plan, pen)


def is_shown(resource: ResourceChange, pen: Pen) -> bool:
    """Whether the object stands on the page, and not only in its numbers."""
    if resource.action == "hook":
        return False
    if resource.action == "unchanged":
        return any(is_counted(change) for change in resource.changes)
    return pen.page.show_noise or not is_noise(resource)


def object_head(resource: ResourceChange, plan: Plan, pen: Pen) -> list[Span]:
    """``~ Deployment/web  update · pods restart``, with what explains it."""
    prediction = resource.prediction
    key = prediction.key
    sign = action_sign(resource.action, pen.symbols)
    if resource.action == "unchanged":
        sign = Span(pen.symbols.eyes, "warning")
    spans = [sign, Span(" "), pen.text(str(key), "bold")]
    if key.namespace is not None and key.namespace != plan.release.namespace:
        spans.append(pen.text(f" in {key.namespace}"))
    is_comparison = plan.operation == "comparison"
    spans += [Span("  "), (compared_word if is_comparison else action_word)(resource.action)]
    if resource.hook_events:
        spans.append(pen.text(f" {pen.symbols.dot} {', '.join(resource.hook_events)}", "dim"))
    if prediction.unknown:
        spans.append(Span(" (see Unknown)", "warning"))
    if restarts_pods(resource) and not is_comparison:
        spans.append(Span(f" {pen.symbols.dot} pods restart", "warning"))
    cause = _CAUSES.get(resource.cause, "") if plan.release.from_revision is not None else ""
    if cause:
        spans += [Span(f" {pen.symbols.dot} "), Span(cause, "bad" if cause == "lost override" else "")]
    if resource.action in ("create", "recreate") and pen.page.context is None:
        summary = object_summary(pen.masker.object(prediction.new) or {})
        spans.append(pen.text(f" {pen.symbols.dot} {summary}" if summary else "", "dim"))
    why = prediction.error or (prediction.why if resource.action in _EXPLAINED else "")
    if why and not _is_said(resource, plan):
        spans += [Span(f" {pen.symbols.dot} "), pen.prose(why)]
    return spans


def _is_said(resource: ResourceChange, plan: Plan) -> bool:
    """Whether a finding or the failure gives the error in full already."""
    if not resource.prediction.error:
        return False
    texts = [finding.consequence for finding in plan.findings]
    if plan.failure is not None:
        texts.append(plan.failure.message)
    return any(resource.prediction.error in text for text in texts)


def _body(resource: ResourceChange, plan: Plan, pen: Pen) -> Iterator[Line]:
    if pen.page.context is not None and resource.action not in ("unchanged", "unknown"):
        yield from yaml_diff(resource, pen, pen.page.context)
    elif resource.action not in ("create", "recreate", "delete", "keep"):
        yield from field_lines(resource, plan, pen)
