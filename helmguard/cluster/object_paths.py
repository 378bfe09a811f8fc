"""URLs of objects and collections."""

from __future__ import annotations

from urllib.parse import quote

from helmguard.model.discovery import ServedKind


def collection_path(kind: ServedKind, namespace: str | None) -> str:
    """``/apis/apps/v1/namespaces/web/deployments``; a cluster-scoped kind has no namespace part."""
    root = f"/apis/{kind.api_version}" if kind.group else f"/api/{kind.api_version}"
    folder = f"/namespaces/{quote(namespace, safe='')}" if kind.namespaced and namespace else ""
    return f"{root}{folder}/{kind.plural}"


def object_path(kind: ServedKind, namespace: str | None, name: str) -> str:
    """The collection's path and the object's name."""
    return f"{collection_path(kind, namespace)}/{quote(name, safe='')}"
