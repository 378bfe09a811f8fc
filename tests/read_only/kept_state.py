"""All that the API server keeps of a namespace, and of the objects outside that are named after it."""

from __future__ import annotations

from collections.abc import Iterator

from controlplane.client import JSON, ControlPlane

_WRITTEN_LATE = "events"
"""Controllers tell of what happened a while ago."""


def kept_state(cluster: ControlPlane, namespace: str) -> dict[str, str]:
    """The resource version of each object, by its place: equal twice when nothing was written in between."""
    found = {}
    for folder, resource in _listed(cluster):
        inside = f"namespaces/{namespace}/" if resource["namespaced"] else ""
        for item in cluster.items(f"{folder}/{inside}{resource['name']}"):
            metadata = item["metadata"]
            if inside or namespace in metadata["name"]:
                found[f"{folder}/{inside}{resource['name']}/{metadata['name']}"] = metadata["resourceVersion"]
    return found


def _listed(cluster: ControlPlane) -> Iterator[tuple[str, JSON]]:
    """Each kind of the server that can be listed, once, with the path of its preferred version."""
    groups = [group["preferredVersion"]["groupVersion"] for group in cluster.get("/apis")["groups"]]
    for folder in ["/api/v1", *(f"/apis/{group}" for group in groups)]:
        for resource in (cluster.find(folder) or {}).get("resources", ()):
            if "list" in resource["verbs"] and resource["name"] != _WRITTEN_LATE:
                yield folder, resource
