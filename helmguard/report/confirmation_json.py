"""What the API server said to dry runs, as JSON."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import LocalDifference, Plan, ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.report.change_json import sides


def dry_run_to_dict(plan: Plan, masker: Masker) -> JSONObject:
    """How far the server was asked: the entry ``serverDryRun``."""
    report = plan.dry_run
    return {
        "mode": report.mode,
        "asked": report.asked,
        "answered": report.answered,
        "why": masker.text(report.why),
    }


def confirmation_to_dict(resource: ResourceChange, masker: Masker) -> JSONObject:
    """Names of one object's entry; none where no dry run was thought of, or Helm writes nothing."""
    confirmation = resource.prediction.confirmation
    if confirmation is None:
        return {}
    key = resource.prediction.key
    found: JSONObject = {
        "confirmedWhy": masker.text(confirmation.why),
        "warnings": [masker.text(warning) for warning in confirmation.warnings],
        "localDiffers": [_difference(key, one, masker) for one in resource.local_differs],
    }
    if confirmation.error != confirmation.local_error:
        found["localError"] = masker.text(confirmation.local_error)
    return found


def _difference(key: ResourceKey, difference: LocalDifference, masker: Masker) -> JSONObject:
    local, server = (
        masker.field(key, difference.path, value) for value in (difference.local, difference.server)
    )
    both = sides(local, server)
    names = {"before": "local", "after": "server"}
    entry: JSONObject = {
        "path": masker.path(difference.path),
        "local": both["before"],
        "server": both["after"],
    }
    if "absent" in both:
        entry["absent"] = [names[side] for side in both["absent"]]
    return entry
