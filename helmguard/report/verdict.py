"""The last line: the verdict, and the reason for the exit code."""

from __future__ import annotations

from collections import Counter

from helmguard.model.finding import SEVERITIES
from helmguard.model.plan import Plan
from helmguard.report.config_use import count_ignored
from helmguard.report.exit_code import CHANGES, FINDINGS, exit_code, gating_findings, is_uncertain
from helmguard.report.plan_counts import actions_of
from helmguard.report.plural import plural
from helmguard.report.styles import Line, Span, Style
from helmguard.report.unknown import unknown_items


def verdict(plan: Plan, *, detailed: bool = True, goes_on: bool = False) -> Line:
    """``Refused: 1 blocker at or above the gate (danger). Exit 3.``

    ``goes_on``: without the exit code.
    """
    text, style = _verdict(plan)
    if goes_on:
        return (Span(text, style),)
    return (Span(text, style), Span(f" Exit {exit_code(plan, detailed=detailed)}.", "bold"))


def _verdict(plan: Plan) -> tuple[str, Style]:
    code = exit_code(plan)
    if code == FINDINGS:
        return f"Refused: {_refusal(plan)}.", "bad"
    if code != CHANGES:
        return f"{_nothing(plan)}.", "good"
    changes = changes_in_words(plan)
    unsure = f"{plural(max(1, len(unknown_items(plan))), 'thing')} not known" if is_uncertain(plan) else ""
    if not changes and plan.failure is None:
        return f"Not certain: no change found, but {unsure}.", "warning"
    found, waived = _below_the_gate(plan), _waived(plan)
    if unsure or plan.failure is not None:
        failing = f"Helm will fail {_when(plan)}" if plan.failure is not None else ""
        parts = [part for part in (failing, changes, found, waived, unsure) if part]
        return f"{'; '.join(parts)}.", "warning"
    said = [changes, found or f"no finding at or above the gate ({plan.fail_on})", waived]
    return f"{'; '.join(part for part in said if part)}.", "warning" if plan.fail_on == "none" else "good"


def _waived(plan: Plan) -> str:
    count = sum(finding.waived is not None for finding in plan.findings)
    return f"{count} waived" if count else ""


def _nothing(plan: Plan) -> str:
    ignored = count_ignored(plan)
    if any(resource.is_ignored for resource in plan.resources):
        return f"Nothing to do: no object changes but for {plural(ignored, 'ignored change')}, no hook runs"
    return "Nothing to do: no object changes, no hook runs"


def _below_the_gate(plan: Plan) -> str:
    fired = Counter(
        finding.severity for finding in plan.findings if finding.result == "fires" and not finding.waived
    )
    counted = [
        plural(fired[severity], severity) for severity in SEVERITIES if fired[severity] and severity != "info"
    ]
    where = "and no gate (none)" if plan.fail_on == "none" else f"below the gate ({plan.fail_on})"
    return f"{' and '.join(counted)}, {where}" if counted else ""


def _refusal(plan: Plan) -> str:
    if plan.failure is not None:
        return f"Helm will fail {_when(plan)}"
    severities = Counter(finding.severity for finding in gating_findings(plan))
    if not severities:
        return f"{plural(max(1, len(unknown_items(plan))), 'thing')} not known, which refuses too"
    counted = [plural(severities[severity], severity) for severity in SEVERITIES if severities[severity]]
    return f"{' and '.join(counted)} at or above the gate ({plan.fail_on})"


def _when(plan: Plan) -> str:
    applied = len(plan.failure.applied_before) if plan.failure else 0
    return f"after changing {plural(applied, 'object')}" if applied else "before it changes anything"


def changes_in_words(plan: Plan) -> str:
    """``3 objects change, 1 hook runs``; empty where nothing does."""
    actions = actions_of(plan)
    actions["update"] -= sum(resource.is_ignored for resource in plan.resources)
    idle = ("unchanged", "keep", "unknown")
    changed = sum(count for action, count in actions.items() if action not in idle)
    parts = []
    if changed:
        parts.append(f"{plural(changed, 'object')} {'changes' if changed == 1 else 'change'}")
    if plan.hooks:
        parts.append(f"{plural(len(plan.hooks), 'hook')} {'runs' if len(plan.hooks) == 1 else 'run'}")
    return ", ".join(parts)
