"""Which file is a folder's kustomization, and what it says."""

from __future__ import annotations

import posixpath

from helmguard.gitops.documents import Documents
from helmguard.model.json_value import JSONObject

FILE_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_REMOTE = ("git::", "gh:", "ssh://", "https://", "http://", "git@", "github.com:", "github.com/", "oci://")


def kustomization_file(documents: Documents, folder: str) -> str:
    """The path of the folder's kustomization file, empty where there is none."""
    entries = documents.tree.entries
    paths = (posixpath.join(folder, name) for name in FILE_NAMES)
    return next((path for path in paths if path in entries), "")


def read_kustomization(documents: Documents, path: str) -> tuple[JSONObject, str]:
    """The kustomization of a file, and why it cannot be read, empty where it can.

    Files of kind ``Component`` are read alike; old fields take their present names.
    """
    why = documents.why_unreadable(path)
    if why:
        return {}, why
    found = documents.of_file(path)
    body = dict(found[0].body) if found else {}
    body["resources"] = [*_texts(body, "resources"), *_texts(body, "bases")]
    body["components"] = _texts(body, "components")
    return body, ""


def is_remote(resource: str) -> bool:
    """Whether a resource is fetched from elsewhere; as kustomize tells (api/internal/git/repospec.go)."""
    lower = resource.lower()
    return lower.startswith(_REMOTE) or "://" in lower or "?ref=" in lower


def is_folder(documents: Documents, path: str) -> bool:
    """Whether a resource's path is a folder of the tree."""
    return path not in documents.tree.entries and documents.paths.is_folder(path)


def _texts(body: JSONObject, field: str) -> list[str]:
    found = body.get(field)
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []
