"""Kustomize's strategic merge patch.

Lists are replaced as a whole, but those of Kubernetes' own kinds whose schema has a merge key: their items
are merged by it (kustomize takes the schema of Kubernetes' built-in kinds only, so that the lists of every
custom resource are replaced).
"""

from __future__ import annotations

from typing import Any

from helmguard.model.json_value import JSONObject, JSONValue

_DIRECTIVE = "$patch"
_RETAIN = "$retainKeys"

# The fields of built-in kinds with "x-kubernetes-patch-merge-key"; ``ports`` depends on where it stands.
_MERGE_KEYS = {
    "containers": "name",
    "initContainers": "name",
    "ephemeralContainers": "name",
    "env": "name",
    "volumes": "name",
    "volumeMounts": "mountPath",
    "volumeDevices": "devicePath",
    "imagePullSecrets": "name",
    "secrets": "name",
    "hostAliases": "ip",
    "topologySpreadConstraints": "topologyKey",
    "conditions": "type",
    "ownerReferences": "uid",
    "resourceClaims": "name",
    "schedulingGates": "name",
    "webhooks": "name",
    "validations": "expression",
}
_SETS = frozenset({"finalizers"})
_BUILT_IN = frozenset({"", "apps", "batch", "policy", "autoscaling", "extensions"})


def apply_merge(body: JSONObject, patch: JSONObject) -> JSONObject | None:
    """``body`` after the patch, None where the patch deletes the object; ``body`` itself stays as it is."""
    if patch.get(_DIRECTIVE) == "delete":
        return None
    group = str(body.get("apiVersion") or "").rpartition("/")[0]
    built_in = group in _BUILT_IN or group.endswith(".k8s.io")
    return _merged_map(body, patch, built_in and body.get("kind") != "CustomResourceDefinition")


def _merged_map(body: JSONObject, patch: JSONObject, keyed: bool) -> JSONObject:
    if patch.get(_DIRECTIVE) == "replace":
        return dict(_without_directives(patch))
    merged = dict(body)
    for key, value in patch.items():
        if key in (_DIRECTIVE, _RETAIN) or key.startswith(("$setElementOrder/", "$deleteFromPrimitiveList/")):
            continue
        if value is None or (isinstance(value, dict) and value.get(_DIRECTIVE) == "delete"):
            merged.pop(key, None)
        elif isinstance(value, dict):
            before = merged.get(key)
            merged[key] = _merged_map(before if isinstance(before, dict) else {}, value, keyed)
        elif isinstance(value, list):
            merged[key] = _merged_list(key, merged.get(key), value, keyed)
        else:
            merged[key] = value
    return merged


def _merged_list(field: str, before: JSONValue, patch: list[Any], keyed: bool) -> list[Any]:
    directives = [item for item in patch if isinstance(item, dict) and item.get(_DIRECTIVE) == "replace"]
    if directives:
        return [_without_directives(item) for item in patch if item not in directives or len(item) > 1]
    if keyed and field in _SETS and isinstance(before, list):
        return before + [item for item in patch if item not in before]
    key = merge_key(field, patch) if keyed else ""
    if not key or not isinstance(before, list):
        return [_without_directives(item) for item in patch if not _deletes(item)]
    return _merged_by_key(before, patch, key)


def merge_key(field: str, items: list[Any]) -> str:
    """The key that tells the items of a built-in kind's list apart, empty where the list is replaced."""
    maps = [item for item in items if isinstance(item, dict)]
    if len(maps) != len(items) or not maps:
        return ""
    if field == "ports":
        return "containerPort" if "containerPort" in maps[0] else "port" if "port" in maps[0] else ""
    key = _MERGE_KEYS.get(field, "")
    return key if all(key in item for item in maps) else ""


def _merged_by_key(before: list[Any], patch: list[Any], key: str) -> list[Any]:
    """The patch's items come first, in its order, then those that it does not name."""
    known = {item[key]: item for item in before if isinstance(item, dict) and key in item}
    named = [item[key] for item in patch]
    merged = [
        _merged_map(known[item[key]], item, True) if item[key] in known else _without_directives(item)
        for item in patch
        if not _deletes(item)
    ]
    return merged + [item for item in before if not isinstance(item, dict) or item.get(key) not in named]


def _deletes(item: JSONValue) -> bool:
    return isinstance(item, dict) and item.get(_DIRECTIVE) == "delete"


def _without_directives(value: JSONValue) -> JSONValue:
    """The value as a new one is written: no directives, and no nulls inside maps."""
    if isinstance(value, dict):
        return {
            key: _without_directives(item)
            for key, item in value.items()
            if item is not None and key not in (_DIRECTIVE, _RETAIN)
        }
    if isinstance(value, list):
        return [_without_directives(item) for item in value]
    return value
