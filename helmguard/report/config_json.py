"""What the user's configuration did to a plan, as JSON."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.finding import Overridden, Waiver
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.change_json import field_change_to_dict
from helmguard.report.config_use import ignored_counts


def waiver_to_dict(waiver: Waiver | None, masker: Masker) -> JSONObject | None:
    """The ``waived`` of a finding."""
    if waiver is None:
        return None
    return {
        "reason": masker.text(waiver.reason),
        "by": masker.text(waiver.by),
        "expires": waiver.expires,
        "ticket": masker.text(waiver.ticket),
        "file": waiver.file,
        "line": waiver.line,
    }


def overridden_to_dict(overridden: Overridden | None, masker: Masker) -> JSONObject | None:
    """The ``overridden`` of a finding."""
    if overridden is None:
        return None
    return {
        "severity": overridden.severity,
        "reason": masker.text(overridden.reason),
        "file": overridden.file,
        "line": overridden.line,
    }


def ignored_to_dict(resource: ResourceChange, masker: Masker) -> list[JSONObject]:
    """The ``ignored`` of a resource: field changes, what each would have counted as, and by which entry."""
    return [
        {
            **field_change_to_dict(resource.prediction.key, item.change, masker),
            "countsAs": item.kind,
            "ignoredBy": f"{item.file}:{item.line}",
            "reason": masker.text(item.reason),
        }
        for item in resource.ignored
    ]


def config_to_dict(plan: Plan, masker: Masker) -> JSONObject:
    """The ``config`` of a plan."""
    return {
        "file": plan.config_file,
        "ignored": [
            {
                "file": entry.file,
                "line": entry.line,
                "reason": masker.text(entry.reason),
                "changes": entry.changes,
            }
            for entry in ignored_counts(plan)
        ],
        "disabled": [
            {
                "rule": each.rule,
                "name": masker.text(each.name),
                "severity": each.severity,
                "reason": masker.text(each.reason),
                "file": each.file,
                "line": each.line,
            }
            for each in plan.disabled
        ],
    }
