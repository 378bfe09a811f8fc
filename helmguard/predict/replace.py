"""Replacing an object whole (PUT): Helm 3's ``--force``, Helm 4's ``--force-replace``.

Helm copies the live resourceVersion into the new document and puts it; nothing of the live object survives
but what the API server keeps by itself (helm/helm@v3.22.0 pkg/kube/client.go, updateResource with force).
"""

from __future__ import annotations

from helmguard.model.json_value import JSONObject
from helmguard.predict.json_equality import copy_json

SERVER_METADATA = (
    "uid",
    "creationTimestamp",
    "generation",
    "resourceVersion",
    "managedFields",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "selfLink",
)


def replaced(live: JSONObject, target: JSONObject) -> JSONObject:
    """The document put in place of ``live``, with the metadata that only the API server writes."""
    result: JSONObject = copy_json(target)
    metadata = result.setdefault("metadata", {})
    for name in SERVER_METADATA:
        metadata.pop(name, None)
        if name in (live.get("metadata") or {}):
            metadata[name] = copy_json(live["metadata"][name])
    return result
