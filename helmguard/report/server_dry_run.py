"""What the API server said when it was asked about the writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from helmguard.model.field_path import format_path
from helmguard.model.plan import LocalDifference, Plan, ResourceChange
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line
from helmguard.report.styles import EMPTY, Line, Span
from helmguard.rules.kubectl import listed

_NAMED = 4


def server_dry_run(plan: Plan, pen: Pen) -> Iterator[Line]:
    """How many writes it confirmed, its warnings, where it sees more than was predicted, and what is open."""
    report = plan.dry_run
    if report.mode == "never":
        if _has_writes(plan):
            yield from wrapped(
                counts_line("Server", [(report.why, "")], pen), pen.page.text_width, HEADING_WIDTH
            )
            yield EMPTY
        return
    if not report.asked and not report.why:
        return
    counts = f"{report.answered} of {plural(report.asked, 'write')} answered by the API server's dry run"
    yield from wrapped(counts_line("Server", [(counts, "")], pen), pen.page.text_width, HEADING_WIDTH)
    for spans in server_remarks(plan, pen):
        yield from wrapped(spans, pen.page.columns, 6)
    yield EMPTY


def server_remarks(plan: Plan, pen: Pen) -> Iterator[list[Span]]:
    """One line each, not wrapped."""
    if plan.dry_run.why and (plan.dry_run.mode != "never" or _has_writes(plan)):
        yield [Span("  ? ", "warning"), pen.prose(plan.dry_run.why)]
    for warning, names in _warnings(plan).items():
        yield [
            Span("  ! ", "warning"),
            pen.text(listed(names, _NAMED), "bold"),
            Span("  "),
            pen.prose(warning),
        ]
    for resource in plan.resources:
        yield from _differences(resource, pen)
    for why, names in _not_confirmed(plan).items():
        yield [
            Span("  - ", "dim"),
            pen.text(f"{listed(names, _NAMED)}  not confirmed: ", "dim"),
            pen.prose(why, "dim"),
        ]


def _has_writes(plan: Plan) -> bool:
    return plan.has_changes and plan.operation != "drift"


def _warnings(plan: Plan) -> Mapping[str, list[str]]:
    """The objects by the server's warning about them."""
    found: dict[str, list[str]] = {}
    for resource in plan.resources:
        confirmation = resource.prediction.confirmation
        for warning in confirmation.warnings if confirmation is not None else ():
            found.setdefault(warning, []).append(str(resource.prediction.key))
    return found


def _not_confirmed(plan: Plan) -> Mapping[str, list[str]]:
    """By reason, the objects that the server was not asked about or gave no answer to that counts."""
    found: dict[str, list[str]] = {}
    for resource in plan.resources:
        confirmation = resource.prediction.confirmation
        if confirmation is not None and confirmation.why and not confirmation.lacks_right:
            found.setdefault(confirmation.why, []).append(str(resource.prediction.key))
    return {} if plan.dry_run.mode == "always" else found


def _differences(resource: ResourceChange, pen: Pen) -> Iterator[list[Span]]:
    key, confirmation = resource.prediction.key, resource.prediction.confirmation
    head = [Span("  ~ "), pen.text(str(key), "bold"), Span("  ")]
    if confirmation is not None and confirmation.local_error and not confirmation.error:
        yield [*head, pen.prose(f"accepted, though a refusal was predicted: {confirmation.local_error}")]
    if not resource.local_differs:
        return
    paths = listed((format_path(one.path) for one in resource.local_differs), _NAMED)
    yield [*head, pen.prose(f"stored otherwise than predicted: {paths}")]
    if pen.page.debug:
        for one in resource.local_differs:
            yield _both(resource, one, pen)


def _both(resource: ResourceChange, difference: LocalDifference, pen: Pen) -> list[Span]:
    key, path = resource.prediction.key, difference.path
    change = pen.change(
        pen.masker.field(key, path, difference.local), pen.masker.field(key, path, difference.server)
    )
    return [Span("      "), pen.text(format_path(difference.path)), Span("  predicted, stored: "), *change]
