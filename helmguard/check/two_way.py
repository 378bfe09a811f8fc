"""A plan without a live side: what the two renderings alone say, and one word on what they cannot. Pure."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from helmguard.model.action import Action
from helmguard.model.field_change import FieldChange
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Unreadable
from helmguard.model.plan import Plan, ResourceChange, Unknown

_BETWEEN_MANIFESTS = "between the manifests; the live value is not known"
_UNANSWERED = "rules about drift, owners, quotas and nodes cannot be answered"
LIVE_SIDE = Unknown("live objects", f"not read: {_UNANSWERED}; --live or --bundle reads them")

WhyKept = Callable[[JSONObject, str], str]
"""Why an object that leaves stays in the cluster, by its body and template; empty where it goes."""


def as_two_way(plan: Plan, why_kept: WhyKept = lambda *_: "", why_not_live: str = "") -> Plan:
    """The plan, judged already, with an action for each object and the live side told once.

    ``why_not_live`` says why there is none although one was asked for.
    """
    renders = not _is_unrendered(plan)
    resources = tuple(
        _stated(resource, why_kept) if renders else _untouched(resource) for resource in plan.resources
    )
    keys = {str(resource.prediction.key) for resource in plan.resources}
    unknown = tuple(entry for entry in plan.unknown if entry.what not in keys)
    if any(isinstance(resource.prediction.live, Unreadable) for resource in resources):
        found = Unknown("live objects", f"{why_not_live}: {_UNANSWERED}") if why_not_live else LIVE_SIDE
        unknown = (*unknown, found)
    # Nothing is done to what is kept: no rule that asks for its live state has anything to say.
    kept = {str(resource.prediction.key) for resource in resources if resource.action == "keep"}
    findings = tuple(
        finding
        for finding in plan.findings
        if finding.result != "unknown" or finding.where.on != "object" or finding.where.name not in kept
    )
    return replace(plan, resources=resources, unknown=unknown, findings=findings)


def _is_unrendered(plan: Plan) -> bool:
    """Whether the head has no manifest because it does not render: then nothing leaves it, either."""
    stops = plan.failure is not None and plan.failure.stage == "before"
    return stops and all(resource.prediction.new is None for resource in plan.resources)


def _untouched(resource: ResourceChange) -> ResourceChange:
    why = "the new side does not render, so that nothing is applied"
    prediction = replace(resource.prediction, action="unchanged", why=why, unknown="")
    return replace(resource, prediction=prediction, changes=())


def _stated(resource: ResourceChange, why_kept: WhyKept) -> ResourceChange:
    prediction = resource.prediction
    if not isinstance(prediction.live, Unreadable) or resource.action not in ("unknown", "unchanged"):
        return resource
    action, why = _action(resource), ""
    if action == "delete" and prediction.previous is not None:
        why = why_kept(prediction.previous, prediction.source)
        action = "keep" if why else action
    changes = tuple(map(_without_remark, resource.changes)) if action == "update" else ()
    return replace(
        resource,
        prediction=replace(
            prediction,
            action=action,
            predicted=prediction.new,
            why=f"left the manifest; {why}" if why else _WHY[action],
            unknown="",
        ),
        changes=changes,
        confirmed="unknown" if action != "unchanged" else resource.confirmed,
    )


_WHY: dict[Action, str] = {
    "create": "only the new rendering has it",
    "delete": "only the old rendering has it",
    "update": "the two renderings differ",
    "unchanged": "both renderings have it alike",
}


def _action(resource: ResourceChange) -> Action:
    prediction = resource.prediction
    if prediction.new is None:
        return "delete" if prediction.previous is not None else "unchanged"
    if prediction.previous is None:
        return "create"
    return "update" if resource.changes else "unchanged"


def _without_remark(change: FieldChange) -> FieldChange:
    return replace(change, note="") if change.note == _BETWEEN_MANIFESTS else change
