"""Keys and field changes as JSON, the same in every document."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.field_change import MISSING, FieldChange, or_null
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.resource_key import ResourceKey


def key_to_dict(key: ResourceKey) -> JSONObject:
    """Which object."""
    return {"group": key.group, "kind": key.kind, "namespace": key.namespace, "name": key.name}


def field_change_to_dict(key: ResourceKey, change: FieldChange, masker: Masker) -> JSONObject:
    """One changed field of the object."""
    before, after = masker.field_change(key, change)
    entry = {
        "path": masker.path(change.path),
        **sides(before, after),
        "cause": change.cause,
        "manager": masker.text(change.manager),
        "since": change.since,
        "value": masker.text(change.value_path),
        "note": masker.text(change.note),
        "bookkeeping": change.bookkeeping,
    }
    for name, value in (("previous", change.previous), ("new", change.new)):
        if value is not MISSING:
            entry[name] = masker.field(key, change.path, value)
    return entry


def sides(before: JSONValue, after: JSONValue) -> JSONObject:
    """``before`` and ``after``; ``absent`` names the sides that are not there, as null may be a value."""
    absent = [name for name, value in (("before", before), ("after", after)) if value is MISSING]
    both = {"before": or_null(before), "after": or_null(after)}
    return {**both, "absent": absent} if absent else both
