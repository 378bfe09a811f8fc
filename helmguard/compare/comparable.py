"""The part of an object that an operation can change."""

from __future__ import annotations

import base64

from helmguard.model.json_value import JSONObject

_SERVER_METADATA = frozenset(
    [
        "managedFields",
        "resourceVersion",
        "uid",
        "generation",
        "creationTimestamp",
        "selfLink",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
    ]
)
_CONTROLLER_ANNOTATIONS = frozenset(
    ["deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation"]
)
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def comparable(document: JSONObject | None) -> JSONObject:
    """The object without status and without the metadata that only the server writes; {} for None.

    A Secret's ``stringData`` is folded into ``data``, as the API server does. Shares all subtrees it can.
    """
    if document is None:
        return {}
    result = {name: value for name, value in document.items() if name != "status"}
    metadata = document.get("metadata")
    if isinstance(metadata, dict):
        result["metadata"] = _own_metadata(metadata)
    if document.get("kind") == "Secret" and isinstance(document.get("stringData"), dict):
        result["data"] = _folded(document)
        del result["stringData"]
    return result


def _own_metadata(metadata: JSONObject) -> JSONObject:
    own = {name: value for name, value in metadata.items() if name not in _SERVER_METADATA}
    annotations = own.get("annotations")
    if isinstance(annotations, dict) and not _CONTROLLER_ANNOTATIONS.isdisjoint(annotations):
        kept = {name: value for name, value in annotations.items() if name not in _CONTROLLER_ANNOTATIONS}
        own["annotations"] = kept
    return own


def _folded(secret: JSONObject) -> JSONObject:
    data = dict(secret.get("data") or {})
    for name, text in secret["stringData"].items():
        data[name] = base64.b64encode(("" if text is None else str(text)).encode()).decode()
    return data
