"""What the cluster really holds of the release ``web``, read past the server between."""

from __future__ import annotations

from controlplane.client import ControlPlane


def sizes(cluster: ControlPlane, namespace: str) -> dict[str, str]:
    """The size that each ConfigMap of the charts has."""
    found = cluster.items(f"/api/v1/namespaces/{namespace}/configmaps")
    return {
        item["metadata"]["name"]: item["data"]["size"] for item in found if "size" in (item.get("data") or {})
    }


def statuses(cluster: ControlPlane, namespace: str) -> dict[int, str]:
    """The status of each revision that is stored, by its number."""
    stored = cluster.items(f"/api/v1/namespaces/{namespace}/secrets", labelSelector="owner=helm,name=web")
    labels = [item["metadata"]["labels"] for item in stored]
    return {
        int(label["version"]): label["status"] for label in sorted(labels, key=lambda each: each["version"])
    }
