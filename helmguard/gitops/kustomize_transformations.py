"""What a kustomization does to the objects of its charts, as renderers that run after Helm."""

from __future__ import annotations

from typing import Any

from helmguard.gitops.documents import Documents, dicts_at, text_at
from helmguard.gitops.tree import joined
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject
from helmguard.model.unshown import Unshown

_LEFT_OUT = (
    "commonLabels",
    "namePrefix",
    "nameSuffix",
    "replacements",
    "replicas",
    "transformers",
    "vars",
)
"""Fields that change objects and are not worked out."""


class Layer(Unshown, frozen=True):
    """One kustomization over a chart's objects.

    ``renderers`` are entries as of a HelmRelease's ``postRenderers``; ``not_done`` are its fields that are
    not worked out, ``reads`` its patch files.
    """

    path: str
    folder: str
    body: JSONObject
    namespace: str = ""
    renderers: tuple[JSONObject, ...] = ()
    not_done: tuple[str, ...] = ()
    reads: frozenset[str] = frozenset()


def layer_of(documents: Documents, folder: str, path: str, body: JSONObject) -> Layer:
    """The kustomization at ``path`` as a layer."""
    reads: set[str] = set()
    missing: list[str] = []
    patches = list(_patches(documents, folder, body, reads, missing))
    renderers: list[JSONObject] = []
    images = dicts_at(body, "images")
    if patches or images:
        renderers.append({"kustomize": {"patches": patches, "images": images}})
    metadata = _common_metadata(body)
    if metadata:
        renderers.append({"commonMetadata": metadata})
    return Layer(
        path,
        folder,
        body,
        namespace=text_at(body, "namespace"),
        renderers=tuple(renderers),
        not_done=(*(field for field in _LEFT_OUT if body.get(field)), *missing),
        reads=frozenset(reads),
    )


def _patches(
    documents: Documents, folder: str, body: JSONObject, reads: set[str], missing: list[str]
) -> list[JSONObject]:
    found: list[JSONObject] = []

    def add(entry: JSONObject, path: str, text: str) -> None:
        if path:
            target = joined(folder, path)
            if target is None or target not in documents.tree.entries:
                missing.append(f"the patch {path}, which is not in the tree")
                return
            reads.add(target)
            text = documents.tree.read(target).decode("utf-8", errors="replace")
        options = {key: entry[key] for key in ("target", "options") if entry.get(key)}
        found.append({"patch": text, **options})

    for item in _list(body, "patchesStrategicMerge"):
        inline = not isinstance(item, str) or "\n" in item.strip() or item.lstrip().startswith("{")
        text = item if isinstance(item, str) else yaml.dump(item)
        add({}, "" if inline else text, text)
    for field in ("patches", "patchesJson6902"):
        for entry in dicts_at(body, field):
            add(entry, text_at(entry, "path"), text_at(entry, "patch"))
    return found


def _common_metadata(body: JSONObject) -> JSONObject:
    """Labels that touch no selector, and annotations."""
    labels = {
        key: value
        for entry in dicts_at(body, "labels")
        if entry.get("includeSelectors") is not True and entry.get("includeTemplates") is not True
        for key, value in _map(entry, "pairs").items()
    }
    found = {"labels": labels, "annotations": _map(body, "commonAnnotations")}
    return {key: value for key, value in found.items() if value}


def _map(body: JSONObject, field: str) -> JSONObject:
    value = body.get(field)
    return value if isinstance(value, dict) else {}


def _list(body: JSONObject, field: str) -> list[Any]:
    value = body.get(field)
    return value if isinstance(value, list) else []
