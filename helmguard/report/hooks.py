"""The hooks that will run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from helmguard.model.plan import HookRun, Plan
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH
from helmguard.report.styles import EMPTY, Line, Span

_WORKERS = ("Job", "Pod")
_NAMED = 3
_POLICIES = {
    "before-hook-creation": "replaced at the next run",
    "hook-succeeded": "deleted after success",
    "hook-failed": "deleted after failure",
}


def hooks(plan: Plan, pen: Pen) -> Iterator[Line]:
    """A line an event: the jobs by name, what they need as a number."""
    events = list(dict.fromkeys(hook.event for hook in plan.hooks))
    for index, event in enumerate(events):
        of_event = sorted((hook for hook in plan.hooks if hook.event == event), key=lambda hook: hook.order)
        heading = Span(("" if index else "Hooks").ljust(HEADING_WIDTH), "bold")
        spans = [heading, pen.text(f"{event}: "), pen.text(hook_text(of_event))]
        yield from wrapped(spans, pen.page.columns, HEADING_WIDTH)
    if events:
        yield EMPTY


def hook_text(of_event: Sequence[HookRun]) -> str:
    """``Job/migrate and 4 helpers (weight 0, deleted after success)``."""
    workers = [hook for hook in of_event if hook.kind in _WORKERS] or list(of_event[:1])
    named = ", ".join(f"{hook.kind}/{hook.name}" for hook in workers[:_NAMED])
    if len(workers) > _NAMED:
        named += f" and {len(workers) - _NAMED} more"
    helpers = len(of_event) - len(workers)
    if helpers:
        named += f" and {plural(helpers, 'helper')}"
    return f"{named} ({_order(of_event)}{_policies(workers)})"


def _order(of_event: Sequence[HookRun]) -> str:
    weights = sorted({hook.weight for hook in of_event})
    return f"weight {weights[0]}" if len(weights) == 1 else f"weights {weights[0]} to {weights[-1]}"


def _policies(workers: Sequence[HookRun]) -> str:
    named = {policy for hook in workers for policy in hook.delete_policies}
    return f", {delete_words(named)}"


def delete_words(policies: Iterable[str]) -> str:
    """``deleted after success``: when Helm deletes a hook's objects."""
    ends = set(policies) - {"before-hook-creation"} or {"before-hook-creation"}
    return ", ".join(_POLICIES.get(policy, policy) for policy in sorted(ends))
