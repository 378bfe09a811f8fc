"""Two stored revisions of a release side by side, as a page for people and as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.exit_code import exit_code, has_other_chart
from helmguard.report.header import charts_text
from helmguard.report.layout import wrapped
from helmguard.report.markdown_text import LONGEST, code, fenced, fitting, prose
from helmguard.report.objects import object_lines, objects
from helmguard.report.page import Page, Pen
from helmguard.report.plan_counts import actions_of
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line, dotted
from helmguard.report.styles import EMPTY, Line, Span, Style, to_text
from helmguard.report.unknown import unknown
from helmguard.report.values import values

_TAIL = 200
_HOOKS: tuple[tuple[str, str, Style], ...] = (
    ("create", "added", "create"),
    ("update", "changed", "update"),
    ("delete", "removed", "delete"),
    ("unchanged", "unchanged", "dim"),
)


def render_comparison(plan: Plan, page: Page, masker: Masker, *, quiet: bool = False) -> str:
    """The whole page, or with ``quiet`` its last line; ends with a line feed."""
    last = comparison_verdict(plan)
    if quiet:
        return to_text([last], colour=page.colour)
    lines = [EMPTY, *comparison_lines(plan, Pen(page, masker)), *wrapped(last, page.columns)]
    return to_text(lines, colour=page.colour)


def comparison_markdown(plan: Plan, masker: Masker) -> str:
    """For a review or a ticket: what the records hold cannot break out of it."""
    release = plan.release
    head = (
        f"### helmguard: revisions {release.from_revision} and {release.to_revision} of {code(release.name)}"
    )
    said = prose("".join(span.text for span in comparison_verdict(plan)))
    lines = to_text(comparison_lines(plan, Pen(Page(width=120), masker)), colour=False)
    blocks = [
        f"{head} in {code(release.namespace)}\n",
        f"**{said}**\n",
        fenced(lines.rstrip().split("\n")) + "\n",
    ]
    return fitting(blocks, LONGEST - _TAIL, "helmguard history")


def comparison_lines(plan: Plan, pen: Pen) -> Iterator[Line]:
    """All but the verdict: values, objects, hooks."""
    yield from comparison_header(plan, pen)
    yield EMPTY
    yield from values(plan, pen)
    if not plan.unknown:
        yield from objects(plan, pen)
        yield from compared_hooks(plan, pen)
    yield from unknown(plan, pen)


def comparison_header(plan: Plan, pen: Pen) -> Iterator[Line]:
    """``web · namespace shop · revision 1 (superseded) → 2 (deployed) · chart web 1.0.0 (same)``."""
    release = plan.release
    sides = (
        f"revision {release.from_revision} ({release.from_status}) {pen.symbols.arrow} "
        f"{release.to_revision} ({release.status}), as stored"
    )
    parts = [pen.text(release.name, "bold"), pen.text(f"namespace {release.namespace}"), pen.text(sides)]
    parts.append(pen.text(charts_text(release.chart, release.new_chart, pen)))
    old = release.chart.app_version if release.chart else ""
    if old != release.new_chart.app_version:
        app = f"app {old or 'none'} {pen.symbols.arrow} {release.new_chart.app_version or 'none'}"
        parts.append(pen.text(app))
    yield from wrapped(dotted(parts, pen), pen.page.columns, 2)


def compared_hooks(plan: Plan, pen: Pen) -> Iterator[Line]:
    """The hooks that differ; those that are the same are a number."""
    found = _hooks(plan)
    if not found:
        return
    actions = Counter(resource.action for resource in found)
    counts = [(f"{actions[action]} {word}", style) for action, word, style in _HOOKS if actions[action]]  # type: ignore[index]
    yield from wrapped(counts_line("Hooks", counts, pen), pen.page.text_width, HEADING_WIDTH)
    for resource in found:
        if resource.action != "unchanged":
            yield from object_lines(resource, plan, pen)
    yield EMPTY


def comparison_verdict(plan: Plan) -> Line:
    """``2 values, 1 object and 1 hook differ. Exit 2.``"""
    code_ = exit_code(plan)
    if plan.unknown:
        text, style = f"Objects and hooks could not be compared{_values_too(plan)}.", "warning"
    elif code_:
        text, style = f"{_differ(plan)}.", "update"
    else:
        text, style = "No difference.", "good"
    return (Span(text, style), Span(f" Exit {code_}.", "bold"))  # type: ignore[arg-type]


def _values_too(plan: Plan) -> str:
    count = len(plan.values.changes)
    return f"; {plural(count, 'value')} {_verb(count)}" if count else ""


def _differ(plan: Plan) -> str:
    objects_ = sum(count for action, count in actions_of(plan).items() if action != "unchanged")
    hooks = sum(resource.action != "unchanged" for resource in _hooks(plan))
    counted = [(len(plan.values.changes), "value"), (objects_, "object"), (hooks, "hook")]
    parts = [plural(count, noun) for count, noun in counted if count]
    if not parts:
        assert has_other_chart(plan)
        return "The chart's version differs, and nothing else"
    total = sum(count for count, _ in counted)
    return f"{_listed(parts)} {_verb(total)}"


def _verb(count: int) -> str:
    return "differs" if count == 1 else "differ"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _hooks(plan: Plan) -> list[ResourceChange]:
    return [resource for resource in plan.resources if resource.hook_events]
