"""A release's objects beside what its deployed revision says, by helmguard's one idea of drift. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.ended_jobs import removes_itself
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.object_drift import ObjectDrift, drift_of
from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.live_state import Present
from helmguard.model.plan import Plan, Unknown
from helmguard.model.verification import FieldDifference, ObjectDifference
from helmguard.verify.actual import Comparison
from helmguard.verify.field_judgement import is_controller, is_hand_tool, is_restart, last_foreign_owner


def compare_release(drift: Plan) -> Comparison:
    """What of a drift plan is a difference, and what a controller's work."""
    differences: list[ObjectDifference] = []
    remarks: list[ObjectDifference] = []
    objects = list(drift_of(drift))
    for item in objects:
        if item.missing and removes_itself(item.resource.prediction.new or {}):
            remarks.append(_object(item, (), "removed after its end (ttlSecondsAfterFinished)", "missing"))
            continue
        if item.missing or item.deleting_since or item.not_served:
            differences.append(_object(item, (), _why(item), "missing"))
            continue
        counted, remarked = _sorted(item)
        if counted:
            differences.append(_object(item, counted))
        if remarked:
            remarks.append(_object(item, remarked))
    for left in drift.left_over:
        why = f"of revision {left.revision} ({left.status}), and in no deployed one"
        found = ObjectDifference(left.key, left.api_version, "not expected", why=why)
        (remarks if left.kept else differences).append(found)
    return Comparison(
        compared=sum(not item.unknown for item in objects),
        differences=tuple(differences),
        remarks=tuple(remarks),
        unknown=tuple(Unknown(each.what, each.why) for each in drift.unknown),
    )


def _why(item: ObjectDrift) -> str:
    if item.deleting_since:
        return f"being deleted since {item.deleting_since}"
    if item.not_served:
        return f"the cluster does not serve {item.resource.prediction.api_version}"
    return ""


def _sorted(item: ObjectDrift) -> tuple[tuple[FieldDifference, ...], tuple[FieldDifference, ...]]:
    counted: list[FieldDifference] = []
    remarked: list[FieldDifference] = []
    live = item.resource.prediction.live
    body = live.body if isinstance(live, Present) else {}
    for change in _fields(item):
        owner = last_foreign_owner(body, change.path) if change.before is not MISSING else None
        added = (change.new is MISSING and change.previous is MISSING) or _adds_items(change)
        controllers = owner is not None and (is_controller(owner) or (added and not is_hand_tool(owner)))
        restarted = added and is_restart(change.path)
        wanted = change.new if change.new is not MISSING or added else change.after
        # The time is told apart from it.
        note = "" if change.note.startswith("changed ") else change.note
        field = FieldDifference(
            change.path,
            wanted,
            change.before,
            manager=change.manager,
            since=change.since or (owner.time if owner is not None else ""),
            note="changed since" if controllers else "restarted since" if restarted else note,
        )
        (remarked if controllers or restarted else counted).append(field)
    return tuple(counted), tuple(remarked)


def _adds_items(change: FieldChange) -> bool:
    """Somebody has put more into a list that Helm applies as a set: its own items are all there."""
    live, said = change.before, change.new
    if change.cause != "drift kept" or not isinstance(live, list) or not isinstance(said, list):
        return False
    return all(any(same_tree(item, each) for each in live) for item in said)


def _fields(item: ObjectDrift) -> Iterator[FieldChange]:
    yield from item.conflicts
    yield from item.reverted
    yield from item.kept
    yield from item.marks


def _object(
    item: ObjectDrift, fields: tuple[FieldDifference, ...], why: str = "", kind: str = "differs"
) -> ObjectDifference:
    prediction = item.resource.prediction
    return ObjectDifference(prediction.key, prediction.api_version, kind, fields, why)  # type: ignore[arg-type]
