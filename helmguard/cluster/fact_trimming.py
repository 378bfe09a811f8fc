"""What is kept of the objects around a release: enough to judge by, little enough for a big cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from helmguard.masking.known_secrets import LAST_APPLIED
from helmguard.model.discovery import ServedKind
from helmguard.model.json_value import JSONObject

Trim = Callable[[JSONObject, ServedKind], JSONObject]

_POD_FIELDS = (
    "nodeName",
    "nodeSelector",
    "runtimeClassName",
    "priorityClassName",
    "serviceAccountName",
    "hostNetwork",
    "resourceClaims",
)
_PLACEMENT = ("affinity", "tolerations")
"""Kept of pods with a RuntimeClass alone: which nodes they may land on."""
_WRITER_FIELDS = ("manager", "operation", "apiVersion", "time", "subresource")
_VOLUME_SOURCES = ("persistentVolumeClaim", "configMap", "secret", "projected", "hostPath")


def trim_of(fact: str) -> Trim:
    """How the objects of a list are trimmed."""
    return _BY_FACT.get(fact, trimmed)


def trimmed(body: JSONObject, kind: ServedKind) -> JSONObject:
    """The object without the record of who owns which field, and without the copy that kubectl keeps.

    Items of a list lack their apiVersion and kind, or bear those of the list of metadata: they get their own.
    """
    rest = {name: value for name, value in body.items() if name not in ("apiVersion", "kind", "metadata")}
    return {
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": _metadata(body.get("metadata") or {}),
        **rest,
    }


def metadata_only(body: JSONObject, kind: ServedKind) -> JSONObject:
    """The object without anything but its metadata, also where a server sent more than was asked for."""
    return trimmed({"metadata": body.get("metadata")}, kind)


def custom_resource(body: JSONObject, kind: ServedKind) -> JSONObject:
    """The object and who wrote it through which version of its API, without the fields each of them owns."""
    found = trimmed(body, kind)
    entries = (body.get("metadata") or {}).get("managedFields") or ()
    writers = [_some(entry, *_WRITER_FIELDS) for entry in entries]
    return {**found, "metadata": {**found["metadata"], "managedFields": writers}} if writers else found


def _metadata(metadata: JSONObject) -> JSONObject:
    kept = {
        name: value
        for name, value in metadata.items()
        if name not in ("managedFields", "resourceVersion", "selfLink", "annotations")
    }
    annotations = {
        name: text for name, text in (metadata.get("annotations") or {}).items() if name != LAST_APPLIED
    }
    return {**kept, "annotations": annotations} if annotations else kept


def _node(body: JSONObject, kind: ServedKind) -> JSONObject:
    """A node names each image that it holds: the larger part of it, and nothing to judge by."""
    status = {name: value for name, value in (body.get("status") or {}).items() if name != "images"}
    return trimmed({**body, "status": status}, kind)


def _pod_of_cluster(body: JSONObject, kind: ServedKind) -> JSONObject:
    """One pod of perhaps 50,000: where it runs, what it names, and how it is doing."""
    metadata, spec = body.get("metadata") or {}, body.get("spec") or {}
    status = body.get("status") or {}
    return {
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": {
            **_some(metadata, "name", "namespace", "labels", "creationTimestamp", "deletionTimestamp"),
            **_device_annotations(metadata),
            **_each(metadata, "ownerReferences", lambda owner: _some(owner, "kind", "name", "controller")),
        },
        "spec": {
            **_some(spec, *_POD_FIELDS),
            **(_some(spec, *_PLACEMENT) if spec.get("runtimeClassName") else {}),
            **_each(spec, "initContainers", _container),
            **_each(spec, "containers", _container),
            **_each(spec, "volumes", _volume),
        },
        "status": {
            **_some(status, "phase", "reason", "conditions"),
            **_each(status, "initContainerStatuses", _container_status),
            **_each(status, "containerStatuses", _container_status),
        },
    }


def _device_annotations(metadata: JSONObject) -> JSONObject:
    """Which devices a pod asks for by CDI."""
    annotations = metadata.get("annotations") or {}
    found = {name: text for name, text in annotations.items() if name.startswith("cdi.k8s.io/")}
    return {"annotations": found} if found else {}


def _container(container: JSONObject) -> JSONObject:
    return _some(container, "name", "image", "resources", "ports")


def _volume(volume: JSONObject) -> JSONObject:
    """Names of what is mounted; the files chosen from it do not matter here."""
    found = _some(volume, "name")
    for source in _VOLUME_SOURCES:
        inner = volume.get(source)
        if not isinstance(inner, dict):
            continue
        if source == "projected":
            found[source] = _each(inner, "sources", _projection)
        else:
            found[source] = _some(inner, "claimName", "name", "secretName", "path", "optional")
    return found


def _projection(source: JSONObject) -> JSONObject:
    return {
        name: _some(source[name], "name", "optional")
        for name in ("configMap", "secret")
        if isinstance(source.get(name), dict)
    }


def _container_status(status: JSONObject) -> JSONObject:
    waiting = (status.get("state") or {}).get("waiting")
    found = _some(status, "name", "ready", "restartCount")
    return {**found, "state": {"waiting": _some(waiting, "reason")}} if waiting else found


def _some(body: JSONObject, *names: str) -> JSONObject:
    return {name: body[name] for name in names if name in body}


def _each(body: JSONObject, name: str, convert: Callable[[Any], JSONObject]) -> JSONObject:
    items = body.get(name)
    return {name: [convert(item) for item in items]} if items else {}


_BY_FACT: dict[str, Trim] = {"nodes": _node, "allPods": _pod_of_cluster}
