"""Manifests and live objects for the parts that decide without a cluster."""

from __future__ import annotations

from typing import Any

from helmguard.manifest.objects import ManifestObject, read_objects
from helmguard.model.live_state import Present
from helmguard.model.resource_key import ResourceKey

MARKS = {
    "labels": {"app.kubernetes.io/managed-by": "Helm"},
    "annotations": {"meta.helm.sh/release-name": "rel", "meta.helm.sh/release-namespace": "ns"},
}


def config_map(name: str, **data: str) -> str:
    entries = ", ".join(f"{key}: {value!r}" for key, value in data.items())
    return f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{{entries}}}\n"


def objects(manifest: str) -> list[ManifestObject]:
    return read_objects(manifest, "ns", lambda *_: True)


def key(name: str, kind: str = "ConfigMap") -> ResourceKey:
    return ResourceKey("", kind, "ns", name)


def live(name: str, marks: dict[str, Any] | None = None, **data: str) -> Present:
    metadata = {"name": name, **(MARKS if marks is None else marks)}
    return Present({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data})
