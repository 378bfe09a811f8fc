"""What a plan amounts to, in numbers. Every output counts here."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from helmguard.compare.weight import is_counted
from helmguard.model.action import Action
from helmguard.model.finding import SEVERITIES
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan, ResourceChange

ACTIONS: tuple[Action, ...] = get_args(Action)


def is_noise(resource: ResourceChange) -> bool:
    """An update that only changes labels of the chart's version, or values that differ at each rendering.

    An update without any field change is not noise: what is not understood is shown. One whose changes are
    all ignored is.
    """
    if resource.is_ignored:
        return True
    if resource.action != "update" or resource.prediction.unknown or not resource.changes:
        return False
    return not any(is_counted(change) for change in resource.changes)


def noise_kind(resource: ResourceChange) -> str:
    """``ignored``, ``bookkeeping``, ``unstable`` or ``normalised``: what the noise is, the gravest first."""
    if resource.is_ignored:
        return "ignored"
    if any(change.cause == "unstable" for change in resource.changes):
        return "unstable"
    return "bookkeeping" if any(change.bookkeeping for change in resource.changes) else "normalised"


def objects_of(plan: Plan) -> list[ResourceChange]:
    """The plan's objects without those that stand for hooks."""
    return [item for item in plan.resources if item.action != "hook" and not item.hook_events]


def actions_of(plan: Plan) -> Counter[Action]:
    """Objects by action, hooks left out."""
    return Counter(resource.action for resource in objects_of(plan))


def summary_of(plan: Plan) -> JSONObject:
    """The ``summary`` of the JSON."""
    actions = actions_of(plan)
    fired = Counter(finding.severity for finding in plan.findings if finding.result == "fires")
    noise = Counter(noise_kind(resource) for resource in objects_of(plan) if is_noise(resource))
    return {
        **{action: actions[action] for action in ACTIONS if action != "hook"},
        "hooks": len(plan.hooks),
        "bookkeepingOnly": noise["bookkeeping"],
        "unstableOnly": noise["unstable"],
        "ignoredOnly": noise["ignored"],
        "ignored": sum(len(resource.ignored) for resource in plan.resources),
        "drift": sum(1 for resource in plan.resources if resource.drift),
        "valuesLost": sum(1 for change in plan.values.changes if change.cause == "lost override"),
        "findings": {severity: fired[severity] for severity in SEVERITIES},
        "findingsUnknown": sum(1 for finding in plan.findings if finding.result == "unknown"),
        "findingsWaived": sum(1 for finding in plan.findings if finding.waived is not None),
        "findingsOverridden": sum(1 for finding in plan.findings if finding.overridden is not None),
        "findingsDisabled": len(plan.disabled),
    }
