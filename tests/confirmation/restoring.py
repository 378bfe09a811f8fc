"""Bringing recorded objects and release records back into a cluster, owners of fields included."""

from __future__ import annotations

import base64
import copy
import gzip
import json
from pathlib import Path
from typing import Any

from controlplane.client import ApiError, ControlPlane
from controlplane.definitions import wait_until_served

from helmguard.cluster.object_paths import collection_path, object_path
from helmguard.model.discovery import ServedKind

_MADE_BY_THE_SERVER = (
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "generation",
    "managedFields",
    "selfLink",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
)
_UID_LABELS = ("controller-uid", "batch.kubernetes.io/controller-uid")
_CRD = ServedKind("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", False)


class CannotRestoreError(Exception):
    """The API server does not take the recorded object, or not as it was."""


def restore_trace(cluster: ControlPlane, folder: Path) -> list[str]:
    """Make the cluster what it was before the operation; returns the paths of cluster-scoped objects.

    Raises:
        CannotRestoreError: an object cannot be brought back; what was restored until then stays.
    """
    recorded = json.loads((folder / "live-before.json").read_text())
    records = json.loads((folder / "release-before.json").read_text())["records"]
    spaces = {entry["namespace"] for entry in recorded if entry["namespace"]}
    spaces |= {record.get("namespace", "") for record in records} - {""}
    for space in sorted(spaces):
        if cluster.find(f"/api/v1/namespaces/{space}") is None:
            cluster.create("/api/v1/namespaces", {"metadata": {"name": space}})
        account = f"/api/v1/namespaces/{space}/serviceaccounts"
        if cluster.find(f"{account}/default") is None:
            cluster.create(account, {"metadata": {"name": "default"}})
    for record in records:
        _restore_record(cluster, record)
    global_paths: list[str] = []
    present = [entry for entry in recorded if entry["object"] is not None]
    for entry in sorted(present, key=lambda entry: entry["kind"] != _CRD.kind):
        path = _restore_object(cluster, entry)
        if not entry["namespace"]:
            global_paths.append(path)
    return global_paths


def remove(cluster: ControlPlane, paths: list[str]) -> None:
    """Delete cluster-scoped objects, the definitions last, and wait until they are gone."""
    for path in sorted(paths, key=lambda path: "customresourcedefinitions" in path):
        try:
            cluster.patch(path, {"metadata": {"finalizers": None}})
            cluster.delete(path)
        except ApiError as error:
            if error.code != 404:
                raise
        cluster.wait_for(path, lambda found: found is None)


def _restore_record(cluster: ControlPlane, record: dict[str, Any]) -> None:
    name = f"sh.helm.release.v1.{record['name']}.v{record['version']}"
    packed = base64.b64encode(gzip.compress(json.dumps(record).encode())).decode()
    labels = {
        "name": record["name"],
        "owner": "helm",
        "status": record["info"]["status"],
        "version": str(record["version"]),
    }
    body = {"metadata": {"name": name, "labels": labels}, "type": "helm.sh/release.v1"}
    secret = {**body, "data": {"release": base64.b64encode(packed.encode()).decode()}}
    cluster.create(f"/api/v1/namespaces/{record['namespace']}/secrets", secret)


def _restore_object(cluster: ControlPlane, entry: dict[str, Any]) -> str:
    kind = _served(cluster, entry["apiVersion"], entry["kind"])
    path = object_path(kind, entry["namespace"] or None, entry["name"])
    collection = collection_path(kind, entry["namespace"] or None)
    body = _postable(entry["object"])
    try:
        _post(cluster, collection, body)
    except ApiError as error:
        raise CannotRestoreError(f"{entry['kind']}/{entry['name']}: {error}") from None
    if kind == _CRD:
        wait_until_served(cluster, entry["name"])
    _restore_owners(cluster, path, entry["object"])
    if entry["object"]["metadata"].get("deletionTimestamp"):
        cluster.delete(path)
    return path


def _post(cluster: ControlPlane, collection: str, body: dict[str, Any]) -> None:
    """Create it; an address or port that is taken in this cluster is left to the server."""
    try:
        cluster.create(collection, body, field_manager="restore")
    except ApiError as error:
        spec = body.get("spec") or {}
        if body["kind"] != "Service" or "allocated" not in str(error) + "range":
            raise
        if spec.get("clusterIP") != "None":
            spec.pop("clusterIP", None)
            spec.pop("clusterIPs", None)
        for port in spec.get("ports") or ():
            port.pop("nodePort", None)
        cluster.create(collection, body, field_manager="restore")


def _postable(recorded: dict[str, Any]) -> dict[str, Any]:
    body = copy.deepcopy(recorded)
    for name in _MADE_BY_THE_SERVER:
        body["metadata"].pop(name, None)
    if body["kind"] == "Job":
        body["spec"].pop("selector", None)
        labels = body["spec"]["template"]["metadata"].get("labels") or {}
        for name in _UID_LABELS:
            labels.pop(name, None)
    return body


def _restore_owners(cluster: ControlPlane, path: str, recorded: dict[str, Any]) -> None:
    """Put the recorded owners of fields in place of the one that has just created the object."""
    owners = recorded["metadata"].get("managedFields")
    if not owners:
        return
    found = cluster.patch(
        path,
        [{"op": "replace", "path": "/metadata/managedFields", "value": owners}],
        kind="json",
        field_manager="restore",
    )
    if _owned(found) != _owned(recorded):
        raise CannotRestoreError(f"{path}: the owners of its fields are not what they were")


def _owned(body: dict[str, Any]) -> list[Any]:
    return sorted(
        (
            entry["manager"],
            entry["operation"],
            entry.get("subresource", ""),
            json.dumps(entry["fieldsV1"], sort_keys=True),
        )
        for entry in body["metadata"].get("managedFields") or ()
    )


def _served(cluster: ControlPlane, api_version: str, kind: str) -> ServedKind:
    root = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
    for resource in cluster.get(root)["resources"]:
        if resource["kind"] == kind and "/" not in resource["name"]:
            return ServedKind(api_version, kind, resource["name"], resource["namespaced"])
    raise CannotRestoreError(f"{api_version} {kind} is not served")
