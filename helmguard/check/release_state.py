"""What a plan amounts to for a reviewer. Pure."""

from __future__ import annotations

import json

from helmguard.compare.weight import is_counted
from helmguard.manifest.hooks import hooks_of
from helmguard.model.check_report import ReleaseState
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.exit_code import gating_findings

_IDLE = frozenset(["unchanged", "keep", "hook"])
_RUN_BY_UPGRADES = frozenset(
    ["pre-install", "post-install", "pre-upgrade", "post-upgrade", "pre-rollback", "post-rollback"]
)


def state_of(plan: Plan, before: tuple[JSONObject, ...], after: tuple[JSONObject, ...]) -> ReleaseState:
    """Of a release that is there before and after; ``before`` and ``after`` are its hooks."""
    if plan.failure is not None or any(map(_is_counted, plan.resources)) or _hooks(before) != _hooks(after):
        return "changed"
    if gating_findings(plan):
        return "changed"
    return "noise" if any(resource.changes for resource in plan.resources) else "same"


def _is_counted(resource: ResourceChange) -> bool:
    if resource.action in _IDLE or resource.is_ignored:
        return False
    return resource.action != "update" or any(map(is_counted, resource.changes))


def _hooks(entries: tuple[JSONObject, ...]) -> list[str]:
    """Each hook that an upgrade, an install or a rollback runs, as text to compare; tests are run by hand."""
    return sorted(
        json.dumps(
            [hook.object.body, hook.events, hook.weight, hook.delete_policies], sort_keys=True, default=str
        )
        for hook in hooks_of(entries)
        if _RUN_BY_UPGRADES.intersection(hook.events)
    )
