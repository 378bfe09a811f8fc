"""What a plan amounts to for a reviewer. Pure."""

from __future__ import annotations

from helmguard.check.hook_changes import hook_change
from helmguard.check.rendered_side import RenderedSide
from helmguard.compare.weight import is_counted
from helmguard.model.check_report import ReleaseState
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.exit_code import gating_findings

_IDLE = frozenset(["unchanged", "hook"])
"""What is kept leaves the release all the same."""


def state_of(plan: Plan, old: RenderedSide, new: RenderedSide) -> ReleaseState:
    """Of a release that is there before and after, and renders on both sides."""
    if plan.failure is not None or any(map(_is_counted, plan.resources)) or gating_findings(plan):
        return "changed"
    hooks = hook_change(old, new)
    if hooks == "changed":
        return "changed"
    is_noisy = hooks == "noise" or any(resource.changes for resource in plan.resources)
    return "noise" if is_noisy else "same"


def _is_counted(resource: ResourceChange) -> bool:
    if resource.action in _IDLE or resource.is_ignored:
        return False
    return resource.action != "update" or any(map(is_counted, resource.changes))
