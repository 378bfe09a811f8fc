"""The exit code of a plan, and its reason."""

from __future__ import annotations

from typing import Final

from helmguard.compare.object_drift import has_drift
from helmguard.model.finding import Finding, at_or_above
from helmguard.model.plan import Plan

NOTHING_TO_DO: Final = 0
ERROR: Final = 1
CHANGES: Final = 2
FINDINGS: Final = 3


def exit_code(plan: Plan, *, detailed: bool = True) -> int:
    """0 nothing to do, 2 changes (or something that could not be found out), 3 refused.

    A plan is refused for a finding at or above the gate that is not waived, and for a failure that is
    foreseen; where the gate is ``none``, nothing is refused. 0 says that everything was read and nothing will
    happen: something unknown is at least 2, and refused where the plan is to fail on it. Of drift, 0 says
    that the cluster holds what the release says, 2 that it does not; of a comparison, 0 says that values,
    chart, objects and hooks are the same.
    Without ``detailed`` the code 2 becomes 0, for callers that take any other code for an error.
    """
    if is_refused(plan):
        return FINDINGS
    if _differs(plan) or plan.failure is not None or is_uncertain(plan):
        return CHANGES if detailed else NOTHING_TO_DO
    return NOTHING_TO_DO


def _differs(plan: Plan) -> bool:
    if plan.operation == "comparison":
        return plan.has_changes or bool(plan.values.changes) or has_other_chart(plan)
    return has_drift(plan) if plan.operation == "drift" else plan.has_changes


def has_other_chart(plan: Plan) -> bool:
    """Whether the two revisions are of charts with another name or version."""
    old, new = plan.release.chart, plan.release.new_chart
    return old is not None and (old.name, old.version, old.app_version) != (
        new.name,
        new.version,
        new.app_version,
    )


def is_refused(plan: Plan) -> bool:
    """Whether the gate keeps the operation from going on."""
    if plan.fail_on == "none":
        return False
    if gating_findings(plan) or plan.failure is not None:
        return True
    return plan.fail_on_unknown and is_uncertain(plan)


def gating_findings(plan: Plan) -> list[Finding]:
    """The findings that fire at or above the gate and are not waived."""
    return [
        finding
        for finding in plan.findings
        if finding.result == "fires"
        and finding.waived is None
        and at_or_above(finding.severity, plan.fail_on)
    ]


def is_uncertain(plan: Plan) -> bool:
    """Whether something is unknown: an object, a prediction, a fact that a gating rule needs.

    A gate of ``none`` makes nothing certain: the rules that gate by default count then.
    """
    gate = "danger" if plan.fail_on == "none" else plan.fail_on
    if plan.unknown or any(resource.confirmed == "unknown" for resource in plan.resources):
        return True
    return any(
        finding.result == "unknown" and finding.waived is None and at_or_above(finding.severity, gate)
        for finding in plan.findings
    )
