"""The check of ``metadata`` that the Kubernetes client makes before it builds an object.

Source: k8s.io/cli-runtime v0.37.0 pkg/resource/metadata_decoder.go, metav1.ObjectMeta. What is inside owner
references and managed fields, and the spelling of times, is left to the API server.
"""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.manifest.json_kind import mismatch
from helmguard.model.json_value import JSONObject, JSONValue

_GO_TYPES = {
    "annotations": "map[string]string",
    "creationTimestamp": "string",
    "deletionGracePeriodSeconds": "int64",
    "deletionTimestamp": "string",
    "finalizers": "[]string",
    "generateName": "string",
    "generation": "int64",
    "labels": "map[string]string",
    "managedFields": "[]v1.ManagedFieldsEntry",
    "name": "string",
    "namespace": "string",
    "ownerReferences": "[]v1.OwnerReference",
    "resourceVersion": "string",
    "selfLink": "string",
    "uid": "string",
}


def metadata_problem(body: JSONObject) -> str:
    """Go's text for the first field of a wrong type, ``apiVersion`` included; empty if all is well."""
    return next(_problems(body), "")


def _problems(body: JSONObject) -> Iterator[str]:
    api_version = body.get("apiVersion")
    if not isinstance(api_version, str | None):
        yield mismatch(api_version, "metadataOnlyObject.TypeMeta.apiVersion", "string")
    metadata = body.get("metadata")
    if metadata is None:
        return
    if not isinstance(metadata, dict):
        yield mismatch(metadata, "metadataOnlyObject.metadata", "v1.ObjectMeta")
        return
    for name in sorted(metadata.keys() & _GO_TYPES.keys()):
        yield from _field_problems(metadata[name], f"ObjectMeta.metadata.{name}", _GO_TYPES[name])


def _field_problems(value: JSONValue, field: str, go_type: str) -> Iterator[str]:
    if value is None:
        return
    if go_type == "string":
        good = isinstance(value, str)
    elif go_type == "int64":
        good = isinstance(value, int) and not isinstance(value, bool)
    elif go_type.startswith("map["):
        good = isinstance(value, dict)
    else:
        good = isinstance(value, list)
    if not good:
        yield mismatch(value, field, go_type, spell_number=go_type == "int64")
    elif go_type == "map[string]string":
        for key in sorted(value):
            yield from _field_problems(value[key], field, "string")
    elif go_type == "[]string":
        for item in value:
            yield from _field_problems(item, field, "string")
