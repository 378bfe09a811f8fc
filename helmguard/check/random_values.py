"""Fields that get a random value with the change, or stop having one. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.check.rendered_side import RenderedSide
from helmguard.compare.unstable import is_unstable
from helmguard.model.field_change import FieldChange
from helmguard.model.plan import Plan, ResourceChange

FROM_NOW_ON = "differs at each rendering from now on"


def with_new_random_values(plan: Plan, base: RenderedSide | None) -> Plan:
    """The plan of the head, in which a field that the base renders alike each time is no mere noise."""
    if base is None or not plan.unstable:
        return plan
    return replace(plan, resources=tuple(_told(resource, base) for resource in plan.resources))


def _told(resource: ResourceChange, base: RenderedSide) -> ResourceChange:
    if resource.prediction.previous is None:
        return resource
    known = base.unstable.get(resource.prediction.key, frozenset())

    def told(change: FieldChange) -> FieldChange:
        if change.cause != "unstable" or is_unstable(change.path, known):
            return change
        return replace(change, cause="chart", note=FROM_NOW_ON)

    return replace(resource, changes=tuple(map(told, resource.changes)))
