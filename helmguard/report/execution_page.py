"""What came of a run, as a page for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.masking.masker import Masker
from helmguard.model.execution import Execution, ObjectOutcome, ObjectState
from helmguard.model.plan import Plan
from helmguard.report.layout import wrapped
from helmguard.report.page import Page, Pen
from helmguard.report.shell_lines import command_lines
from helmguard.report.styles import EMPTY, Line, Span, to_text

_LABEL = 13
_NAMED = 12

_STATES: tuple[tuple[ObjectState, str], ...] = (
    ("done", "done"),
    ("not done", "not done"),
    ("otherwise", "otherwise"),
    ("unknown", "not known"),
)


def render_execution(plan: Plan, execution: Execution, page: Page, masker: Masker) -> str:
    """The page without a verdict; ends with a line feed."""
    return to_text(execution_lines(plan, execution, Pen(page, masker)), colour=page.colour)


def execution_lines(plan: Plan, execution: Execution, pen: Pen) -> Iterator[Line]:
    """The same, for whoever prints nothing."""
    yield EMPTY
    yield from _head(plan, execution, pen)
    if execution.end != "succeeded":
        yield from _labelled("helm said", [pen.prose(execution.message)], pen)
        yield from _labelled("revision", [pen.text(revision_text(plan, execution))], pen)
        yield from _objects(execution, pen)
    for text in execution.others:
        yield from _labelled("others", [pen.text(text, "warning")], pen)
    yield from _notes(execution, pen)
    label = "to go back" if execution.end == "succeeded" else "next"
    for command in execution.next_commands:
        shown = pen.command(command).text
        yield from command_lines(label, shown, pen.page.columns, 2, _LABEL)
        label = ""
    yield EMPTY


def _head(plan: Plan, execution: Execution, pen: Pen) -> Iterator[Line]:
    verb = f"helm {'rollback' if plan.operation == 'rollback' else 'upgrade'}"
    where = f"{plan.release.name} in namespace {plan.release.namespace}"
    if execution.end == "succeeded":
        own = execution.own_revision
        made = f": revision {own.number} is {own.status}" if own else ""
        yield from wrapped([pen.text(f"{verb} of {where} succeeded{made}", "good")], pen.page.columns, 4)
        if execution.read_back:
            yield from _labelled("not known", [pen.prose(execution.read_back, "warning")], pen)
        return
    sign = Span(f"{pen.symbols.fail} {execution.end.upper()}", "blocker")
    yield from wrapped([sign, Span("  "), pen.text(f"{verb} of {where}", "bold")], pen.page.columns, 4)


def revision_text(plan: Plan, execution: Execution) -> str:
    """Which revision the run left behind, and which was there before."""
    before = plan.release.from_revision
    deployed = f"; it built on revision {before}" if before is not None else ""
    if execution.read_back:
        return f"the records could not be read: {execution.read_back}{deployed}"
    own, later = execution.own_revision, execution.revisions
    if own is None:
        return f"none of this run is stored{deployed}"
    text = f"{own.number} is stored as {own.status}{deployed}"
    for revision in later:
        if revision.number > own.number:
            text += f"; revision {revision.number} ({revision.description}) is {revision.status}"
    return text


def _objects(execution: Execution, pen: Pen) -> Iterator[Line]:
    for state, label in _STATES:
        found = [each for each in execution.objects if each.state == state]
        if found:
            names = [f"{each.key} ({_planned(each)})" for each in found]
            yield from _labelled(label, [pen.text(_listed(names))], pen)
            for why in dict.fromkeys(each.why for each in found if each.why):
                yield from _labelled("", [pen.prose(why, "dim")], pen)
    if not execution.objects:
        yield from _labelled("objects", [pen.text("the plan meant to change none")], pen)
        return
    if any(each.state == "unknown" for each in execution.objects) and execution.said:
        yield from _labelled("helm tried", [pen.text(_listed(execution.said))], pen)
    if all(each.state == "not done" for each in execution.objects):
        yield from _labelled("", [pen.text("no object was changed", "bold")], pen)


def _planned(outcome: ObjectOutcome) -> str:
    return "foretold to fail" if outcome.action == "fail" else outcome.action


def _notes(execution: Execution, pen: Pen) -> Iterator[Line]:
    # Masked as a whole: a secret may have several lines.
    lines = pen.masker.text(execution.notes).strip().splitlines()
    if not lines:
        return
    yield EMPTY
    yield (Span("  notes of the chart", "dim"),)
    for line in lines:
        yield (Span("    "), pen.text(line.expandtabs()))
    yield EMPTY


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _labelled(label: str, spans: Sequence[Span], pen: Pen) -> list[Line]:
    head = [Span("  "), Span(label.ljust(_LABEL), "dim")]
    return wrapped([*head, *spans], pen.page.text_width, 2 + _LABEL)
