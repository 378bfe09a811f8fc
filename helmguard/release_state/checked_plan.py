"""What the plan of a rollback says about it as a way out. Pure."""

from __future__ import annotations

from collections.abc import Collection

from helmguard.model.action import Action
from helmguard.model.finding import Finding
from helmguard.model.plan import Plan
from helmguard.model.release_state import WayCheck
from helmguard.report.exit_code import gating_findings
from helmguard.report.plan_counts import actions_of
from helmguard.report.plural import plural
from helmguard.report.verdict import changes_in_words

_IDLE: tuple[Action, ...] = ("unchanged", "keep", "unknown")
_NAMED = 3


def checked_plan(plan: Plan, accepts: Collection[str] = ()) -> WayCheck:
    """Whether the operation goes through; ``accepts`` are rules whose findings are its purpose."""
    changes = sum(count for action, count in actions_of(plan).items() if action not in _IDLE)
    by_server = plan.dry_run.answered > 0
    refusing = [finding for finding in gating_findings(plan) if finding.rule not in accepts]
    error = _error(plan)
    if error:
        return WayCheck("fails", error, changes, by_server, _names(refusing))
    if refusing:
        return WayCheck("refused", _told(refusing), changes, by_server, _names(refusing))
    parts = [_would(plan), "nothing foretold to fail", _below(plan, accepts), _unsure(plan)]
    return WayCheck("works", ", ".join(part for part in parts if part), changes, by_server)


def _error(plan: Plan) -> str:
    if plan.failure is not None:
        return plan.failure.message
    errors = [resource.prediction.error for resource in plan.resources if resource.prediction.error]
    return errors[0] if errors else ""


def _would(plan: Plan) -> str:
    changed = changes_in_words(plan)
    if not changed:
        return "would change no object"
    words = changed.replace(" changes", " would change", 1).replace(" change,", " would change,", 1)
    if words == changed and changed.endswith(" change"):
        words = f"{changed.removesuffix(' change')} would change"
    return words


def _below(plan: Plan, accepts: Collection[str]) -> str:
    """The findings that do not refuse, by severity."""
    told = [
        finding
        for finding in plan.findings
        if finding.result == "fires"
        and finding.rule not in accepts
        and finding.waived is None
        and finding.severity != "info"
    ]
    if not told:
        return "no finding"
    return f"no blocker, but {_told(told)}" if any(one.severity == "danger" for one in told) else _told(told)


def _unsure(plan: Plan) -> str:
    return f"{plural(len(plan.unknown), 'thing')} not known" if plan.unknown else ""


def _told(findings: list[Finding]) -> str:
    """``1 danger (rollback-to-failed)``."""
    parts = []
    for severity in dict.fromkeys(finding.severity for finding in findings):
        rules = list(dict.fromkeys(one.rule for one in findings if one.severity == severity))
        more = f" and {len(rules) - _NAMED} more" if len(rules) > _NAMED else ""
        count = sum(one.severity == severity for one in findings)
        parts.append(f"{plural(count, severity)} ({', '.join(rules[:_NAMED])}{more})")
    return " and ".join(parts)


def _names(findings: list[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(finding.rule for finding in findings))
