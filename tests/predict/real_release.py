"""Releases in the test's own cluster, read without helmguard's own edge."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

from controlplane.client import ControlPlane
from controlplane.helm import Helm

from helmguard.manifest import yaml
from helmguard.manifest.documents import split_kubectl
from helmguard.manifest.hooks import Hook, hooks_of
from helmguard.manifest.objects import ManifestObject, read_objects
from helmguard.model.live_state import Absent, LiveState, Present
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey

_PATHS = {
    "ConfigMap": "/api/v1/namespaces/{}/configmaps",
    "Service": "/api/v1/namespaces/{}/services",
    "Deployment": "/apis/apps/v1/namespaces/{}/deployments",
}


def object_path(kind: str, namespace: str, name: str = "") -> str:
    """The URL path of a kind's collection, or of one object."""
    base = _PATHS[kind].format(namespace)
    return f"{base}/{name}" if name else base


def write_chart(folder: Path, templates: str) -> Path:
    """A chart that renders just these documents."""
    (folder / "templates").mkdir(parents=True, exist_ok=True)
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: demo\nversion: 1.0.0\n")
    (folder / "templates" / "all.yaml").write_text(templates)
    return folder


def rendered(helm: Helm, chart: Path, namespace: str) -> tuple[list[ManifestObject], list[Hook]]:
    """Objects and hooks of the chart, in Helm's order."""
    text = helm.run("template", "app", chart, "--no-hooks").stdout
    everything = helm.run("template", "app", chart).stdout
    hooks = []
    for document in split_kubectl(everything):
        body = yaml.load(document)
        annotations = ((body or {}).get("metadata") or {}).get("annotations") or {}
        if "helm.sh/hook" in annotations:
            events = [word.strip() for word in annotations["helm.sh/hook"].split(",")]
            policies = annotations.get("helm.sh/hook-delete-policy", "")
            hooks.append(
                {
                    "name": body["metadata"]["name"],
                    "kind": body["kind"],
                    "path": "demo/templates/all.yaml",
                    "manifest": document,
                    "events": events,
                    "delete_policies": [word.strip() for word in policies.split(",") if word.strip()],
                }
            )
    return read_objects(text, namespace, lambda _version, _kind: True), hooks_of(hooks)


def history(control_plane: ControlPlane, namespace: str) -> History:
    """All revisions of the release ``app``."""
    secrets = control_plane.items(f"/api/v1/namespaces/{namespace}/secrets")
    revisions = []
    for secret in secrets:
        if secret["metadata"]["name"].startswith("sh.helm.release.v1.app."):
            packed = base64.b64decode(base64.b64decode(secret["data"]["release"]))
            record = json.loads(gzip.decompress(packed))
            revisions.append(_revision(record, secret["metadata"]["labels"]["status"]))
    revisions.sort(key=lambda revision: revision.version)
    return History("app", namespace, tuple(revisions))


def _revision(record: dict[str, Any], label_status: str) -> Revision:
    return Revision(
        name=record["name"],
        namespace=record["namespace"],
        version=record["version"],
        status=record["info"]["status"],
        label_status=label_status,
        chart=record["chart"],
        config=record.get("config"),
        manifest=record.get("manifest", ""),
        hooks=tuple(record.get("hooks") or ()),
        apply_method=record.get("apply_method", ""),
    )


def live_states(
    control_plane: ControlPlane, namespace: str, keys: set[ResourceKey]
) -> dict[ResourceKey, LiveState]:
    """What the cluster holds for each key."""
    states: dict[ResourceKey, LiveState] = {}
    for key in keys:
        found = control_plane.find(object_path(key.kind, namespace, key.name))
        states[key] = Present(found) if found is not None else Absent()
    return states
