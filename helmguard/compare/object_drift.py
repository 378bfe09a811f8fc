"""What is adrift on one object, by class. A view of its field changes: nothing is decided anew here."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.compare.bookkeeping import is_ownership_mark
from helmguard.compare.marks_drift import marks_drift
from helmguard.model.field_change import FieldChange
from helmguard.model.live_state import Absent, KindNotServed, Present
from helmguard.model.plan import Plan, ResourceChange


class ObjectDrift(msgspec.Struct, frozen=True):
    """``missing``: not in the cluster; ``deleting_since``: when its deletion began, empty where it did not;
    ``not_served``: the cluster does not serve its kind; ``unknown``: it could not be found out.

    ``conflicts`` are fields that the next upgrade fails over, ``reverted`` those it sets back, by force if it
    has to, ``kept`` those it leaves, ``latent`` those with another owner beside Helm, ``marks`` Helm's own
    that are wrong.
    """

    resource: ResourceChange
    missing: bool
    deleting_since: str
    not_served: bool
    unknown: bool
    conflicts: tuple[FieldChange, ...]
    reverted: tuple[FieldChange, ...]
    kept: tuple[FieldChange, ...]
    latent: tuple[FieldChange, ...]
    marks: tuple[FieldChange, ...]

    @property
    def is_adrift(self) -> bool:
        """Whether anything is not as the release says, or will not be for long."""
        fields = self.conflicts or self.reverted or self.kept or self.latent or self.marks
        return bool(self.missing or self.deleting_since or self.not_served or fields)

    @property
    def will_fail(self) -> str:
        """Helm's error on the object where no conflicting field or mark says it."""
        said = self.conflicts or self.not_served or any(mark.cause == "conflict" for mark in self.marks)
        return "" if said else self.resource.prediction.error


def object_drift(resource: ResourceChange, release: str, namespace: str) -> ObjectDrift:
    """Sort one object's changes."""
    live = resource.prediction.live
    metadata = live.body.get("metadata") or {} if isinstance(live, Present) else {}
    conflicts, reverted = [], []
    for change in resource.changes if isinstance(live, Present) else ():
        if is_ownership_mark(change.path):
            continue
        if change.cause == "conflict" and resource.prediction.error:
            conflicts.append(change)
        elif change.cause in ("conflict", "drift reverted"):
            reverted.append(change)
    return ObjectDrift(
        resource=resource,
        missing=isinstance(live, Absent),
        deleting_since=str(metadata.get("deletionTimestamp") or ""),
        not_served=isinstance(live, KindNotServed),
        unknown=resource.confirmed == "unknown" and not isinstance(live, Absent | KindNotServed),
        conflicts=tuple(conflicts),
        reverted=tuple(reverted),
        kept=resource.drift,
        latent=resource.latent,
        marks=tuple(marks_drift(resource.prediction, release, namespace)),
    )


def drift_of(plan: Plan) -> Iterator[ObjectDrift]:
    """Every object of a plan, sorted."""
    for resource in plan.resources:
        yield object_drift(resource, plan.release.name, plan.release.namespace)


def has_drift(plan: Plan) -> bool:
    """Whether the cluster has what the release does not say; what is kept on purpose is no drift."""
    return any(not left.kept for left in plan.left_over) or any(item.is_adrift for item in drift_of(plan))
