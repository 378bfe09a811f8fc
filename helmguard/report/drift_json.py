"""What is adrift, in numbers and by class: the ``drift`` of a plan's JSON."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.compare.object_drift import ObjectDrift, drift_of
from helmguard.masking.masker import Masker
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present
from helmguard.model.plan import LeftOver, Plan
from helmguard.report.change_json import field_change_to_dict, key_to_dict


def drift_to_dict(plan: Plan, masker: Masker) -> JSONObject:
    """The classes that are about whole objects; fields stand with their resources."""
    objects = list(drift_of(plan))
    return {
        "counts": drift_counts(objects, plan.left_over),
        "missing": [_key(item) for item in objects if item.missing],
        "beingDeleted": [_being_deleted(item) for item in objects if item.deleting_since],
        "notServed": [_key(item) for item in objects if item.not_served],
        "ownership": [
            {
                "resource": _key(item),
                "fields": [
                    field_change_to_dict(item.resource.prediction.key, mark, masker) for mark in item.marks
                ],
            }
            for item in objects
            if item.marks
        ],
        "leftOver": [left_over_to_dict(left) for left in plan.left_over],
        "notRead": [_key(item) for item in objects if item.unknown],
    }


def drift_counts(objects: Iterable[ObjectDrift], left_over: Iterable[LeftOver]) -> dict[str, int]:
    """Objects, but fields for the four classes of fields. What is kept on purpose is counted apart."""
    items, left = list(objects), list(left_over)
    return {
        "objects": len(items),
        "objectsAdrift": sum(item.is_adrift for item in items),
        "missing": sum(item.missing for item in items),
        "beingDeleted": sum(bool(item.deleting_since) for item in items),
        "notServed": sum(item.not_served for item in items),
        "failing": sum(bool(item.will_fail) for item in items),
        "conflicts": sum(len(item.conflicts) for item in items),
        "reverted": sum(len(item.reverted) for item in items),
        "kept": sum(len(item.kept) for item in items),
        "latent": sum(len(item.latent) for item in items),
        "ownership": sum(bool(item.marks) for item in items),
        "ignored": sum(len(item.resource.ignored) for item in items),
        "leftOver": sum(not entry.kept for entry in left),
        "keptOnPurpose": sum(entry.kept for entry in left),
        "notRead": sum(item.unknown for item in items),
    }


def _key(item: ObjectDrift) -> JSONObject:
    return key_to_dict(item.resource.prediction.key)


def _being_deleted(item: ObjectDrift) -> JSONObject:
    return {
        "resource": _key(item),
        "since": item.deleting_since,
        "finalizers": finalizers_of(item),
    }


def finalizers_of(item: ObjectDrift) -> list[str]:
    """What the deletion of the object waits for."""
    live = item.resource.prediction.live
    metadata = live.body.get("metadata") or {} if isinstance(live, Present) else {}
    return [str(name) for name in metadata.get("finalizers") or ()]


def left_over_to_dict(left: LeftOver) -> JSONObject:
    """A live object that no deployed manifest holds."""
    return {
        "resource": key_to_dict(left.key),
        "apiVersion": left.api_version,
        "revision": left.revision,
        "revisionStatus": left.status,
        "kept": left.kept,
        "created": left.created,
    }
