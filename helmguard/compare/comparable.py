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
        result["metadata"] = {name: value for name, value in metadata.items() if name not in _SERVER_METADATA}
    if document.get("kind") == "Secret" and isinstance(document.get("stringData"), dict):
        result["data"] = _folded(document)
        del result["stringData"]
    return result


def _folded(secret: JSONObject) -> JSONObject:
    data = dict(secret.get("data") or {})
    for name, text in secret["stringData"].items():
        data[name] = base64.b64encode(("" if text is None else str(text)).encode()).decode()
    return data
