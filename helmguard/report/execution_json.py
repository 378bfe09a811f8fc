"""What came of a run, as JSON (docs/execution-format.md)."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.masking.masker import Masker
from helmguard.model.execution import Acceptance, Execution
from helmguard.model.json_value import JSONObject

FORMAT = "helmguard.execution/v1"


def execution_to_dict(execution: Execution, masker: Masker) -> JSONObject:
    """The run alone."""
    own = execution.own_revision
    return {
        "end": execution.end,
        "helmExitCode": execution.exit_code,
        "message": masker.text(execution.message),
        "started": execution.started,
        "ended": execution.ended,
        "revision": own.number if own else None,
        "status": own.status if own else None,
        "newRevisions": [
            {"revision": each.number, "status": each.status, "description": masker.text(each.description)}
            for each in execution.revisions
        ],
        "readBackError": masker.text(execution.read_back) or None,
        "objects": [
            {
                "kind": each.key.kind,
                "group": each.key.group,
                "namespace": each.key.namespace,
                "name": each.key.name,
                "action": each.action,
                "state": each.state,
                "why": masker.text(each.why),
            }
            for each in execution.objects
        ],
        "helmTried": list(execution.said),
        "others": [masker.text(text) for text in execution.others],
        "notes": masker.text(execution.notes),
        "next": [masker.command(command) for command in execution.next_commands],
    }


def document(
    plan: JSONObject,
    execution: JSONObject | None,
    verification: JSONObject | None,
    accepted: Iterable[Acceptance],
    outcome: str,
    exit_code: int,
    masker: Masker,
) -> JSONObject:
    """The whole: the plan, what was accepted, and what came of it (null where it came to nothing).

    ``outcome`` is ``executed``, ``refused``, ``declined``, ``stale`` or ``planned``.
    """
    return {
        "formatVersion": FORMAT,
        "outcome": outcome,
        "plan": plan,
        "accepted": [{"rule": each.rule, "reason": masker.text(each.reason)} for each in accepted],
        "execution": execution,
        "verification": verification,
        "exitCode": exit_code,
    }
