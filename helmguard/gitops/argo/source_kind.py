"""What a source of this tree is: a chart, a kustomization, plain files or a plugin's."""

from __future__ import annotations

import posixpath
from typing import Literal

from msgspec.structs import replace

from helmguard.gitops.argo.application import Source, Surroundings
from helmguard.gitops.documents import Documents
from helmguard.gitops.tree import joined
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject, JSONValue

SourceKind = Literal["helm", "kustomize", "directory", "plugin"]

KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")


def explicit_kind(source: Source) -> SourceKind | None:
    """The kind that the source itself says."""
    for kind in ("kustomize", "helm", "directory", "plugin"):
        if source.body.get(kind) is not None:
            return kind
    return None


def kind_of_folder(source: Source, folder: str, documents: Documents) -> SourceKind:
    """The kind of a source whose folder is in the tree.

    A kustomization beside a Chart.yaml wins, since Argo CD's walk meets it last (util/app/discovery).
    """
    explicit = explicit_kind(source)
    if explicit is not None:
        return explicit
    entries = documents.tree.entries
    if kustomization_of(folder, documents):
        return "kustomize"
    return "helm" if posixpath.join(folder, "Chart.yaml") in entries else "directory"


def kustomization_of(folder: str, documents: Documents) -> str:
    """The kustomization file of a folder, empty where there is none."""
    paths = (posixpath.join(folder, name) for name in KUSTOMIZATIONS)
    return next((path for path in paths if path in documents.tree.entries), "")


def with_overrides(source: Source, name: str, surroundings: Surroundings) -> Source:
    """The source with the folder's ``.argocd-source.yaml`` and ``.argocd-source-<application>.yaml``.

    Source: reposerver/repository/repository.go ``mergeSourceParameters``.

    Raises:
        YAMLError: one of them cannot be read.
    """
    documents = surroundings.documents
    folder = joined("", source.folder)
    files = [".argocd-source.yaml", f".argocd-source-{name}.yaml"] if name else [".argocd-source.yaml"]
    for file in files:
        path = posixpath.join(folder or "", file)
        if path not in documents.tree.entries:
            continue
        patch = yaml.load(documents.tree.read(path))
        if not isinstance(patch, dict):
            continue
        merged = merge_patch(source.body, patch)
        assert isinstance(merged, dict)
        fixed = {key: source.body.get(key) for key in ("chart", "path", "repoURL", "targetRevision")}
        body: JSONObject = {**merged, **{key: value for key, value in fixed.items() if value is not None}}
        helm = patch.get("helm")
        overridden = {**source.overridden, **dict.fromkeys(helm if isinstance(helm, dict) else (), path)}
        source = replace(source, body=body, overridden=overridden, reads=source.reads | {path})
    return source


def merge_patch(target: JSONValue, patch: JSONValue) -> JSONValue:
    """A JSON merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    merged: JSONObject = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged
