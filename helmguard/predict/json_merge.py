"""JSON merge patches: what Helm's client-side apply does to kinds outside its compiled scheme.

For an upgrade or rollback the patch is two-way (old manifest to new manifest), the live object plays no part
in it. ``helm install --take-ownership`` makes the three-way variant (helm/helm@v3.22.0 pkg/kube/client.go).
"""

from __future__ import annotations

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.json_equality import copy_json, json_equal

_EXACT = 2**53


def merge_patch(old: JSONObject, new: JSONObject) -> JSONObject:
    """The RFC 7386 patch that leads from ``old`` to ``new``; lists that differ are sent whole.

    The library that Helm uses (evanphx/json-patch v4) reads every number as a 64-bit float: large integers
    arrive rounded, and two that round to the same are no difference.
    """
    patch: JSONObject = {}
    for key, value in new.items():
        if key not in old:
            patch[key] = _as_floats(value)
        elif isinstance(value, dict) and isinstance(old[key], dict):
            below = merge_patch(old[key], value)
            if below:
                patch[key] = below
        elif not json_equal(old[key], value):
            rounded = _as_floats(value)
            if not json_equal(_as_floats(old[key]), rounded):
                patch[key] = rounded
    for key in old:
        if key not in new:
            patch[key] = None
    return patch


def _as_floats(value: JSONValue) -> JSONValue:
    """A copy in which integers have no more than a 64-bit float's precision."""
    if isinstance(value, dict):
        return {key: _as_floats(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_as_floats(below) for below in value]
    if type(value) is int and abs(value) > _EXACT:
        return int(float(value))
    return value


def three_way_merge_patch(old: JSONObject, new: JSONObject, live: JSONObject) -> JSONObject:
    """Additions and changes from ``live`` to ``new``, deletions from ``old`` to ``new``."""
    changes = _without_deletions(merge_patch(live, new))
    deletions = _deletions(merge_patch(old, new))
    return _merged(deletions, changes)


def apply_merge_patch(target: JSONValue, patch: JSONValue) -> JSONValue:
    """RFC 7386: null deletes, maps merge, all else replaces."""
    if not isinstance(patch, dict):
        return copy_json(patch)
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = apply_merge_patch(result.get(key), value)
    return result


def _without_deletions(patch: JSONObject) -> JSONObject:
    kept: JSONObject = {}
    for key, value in patch.items():
        if isinstance(value, dict):
            kept[key] = _without_deletions(value)
        elif value is not None:
            kept[key] = value
    return kept


def _deletions(patch: JSONObject) -> JSONObject:
    kept: JSONObject = {}
    for key, value in patch.items():
        if value is None:
            kept[key] = None
        elif isinstance(value, dict):
            below = _deletions(value)
            if below:
                kept[key] = below
    return kept


def _merged(base: JSONObject, over: JSONObject) -> JSONObject:
    result = dict(base)
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = _merged(result[key], value)
        else:
            result[key] = value
    return result
