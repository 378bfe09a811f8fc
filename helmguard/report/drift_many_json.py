"""Many releases' drift as JSON: ``helmguard.drift/v1``, described in docs/plan-format.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from helmguard.compare.object_drift import drift_of
from helmguard.masking.masker import Masker
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan
from helmguard.model.unread_release import UnreadRelease
from helmguard.report.config_json import config_to_dict
from helmguard.report.drift_json import drift_counts
from helmguard.report.drift_rows import DriftRow, exit_code_of_all, summary_of_all
from helmguard.report.exit_code import exit_code
from helmguard.report.plan_counts import summary_of
from helmguard.report.plan_json import plan_to_dict

FORMAT_VERSION = "helmguard.drift/v1"


def only_adrift(plan: Plan) -> Plan:
    """The plan without the objects that there is nothing to say of."""
    shown = [item.resource for item in drift_of(plan) if item.is_adrift or item.unknown or item.will_fail]
    return replace(plan, resources=tuple(shown))


def release_to_dict(plan: Plan, *, show_secrets: bool = False) -> JSONObject:
    """One release's plan, with the objects adrift alone; its numbers are those of all its objects."""
    shown = only_adrift(plan)
    # What is not shown may hold the secrets by which those in the shown objects are known.
    masker = Masker.for_plan(plan if shown.resources else shown, show=show_secrets)
    document = plan_to_dict(shown, masker=masker)
    document["drift"]["counts"] = drift_counts(drift_of(plan), plan.left_over)
    return {
        **document,
        "config": config_to_dict(plan, masker),
        "summary": summary_of(plan),
        "exitCode": exit_code(plan),
    }


def releases_to_dict(
    releases: Iterable[JSONObject], unread: Iterable[UnreadRelease], rows: Sequence[DriftRow]
) -> JSONObject:
    """The whole document; ``releases`` are of ``release_to_dict``."""
    return {
        "formatVersion": FORMAT_VERSION,
        "releases": list(releases),
        "unknown": [
            {"release": each.name, "namespace": each.namespace, "why": Masker().text(each.why)}
            for each in unread
        ],
        "summary": summary_of_all(rows),
        "exitCode": exit_code_of_all(rows),
    }
