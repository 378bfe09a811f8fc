"""Flux's post-renderers over a rendered manifest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.gitops.documents import Document, dicts_at, text_at
from helmguard.gitops.flux.kinds import HELM_GROUP
from helmguard.gitops.kustomize.images import with_images
from helmguard.gitops.kustomize.patch_error import PatchError
from helmguard.gitops.kustomize.patches import Patch, apply_patch, new_patch
from helmguard.gitops.kustomize.resource import Resource, new_resource
from helmguard.manifest import yaml
from helmguard.manifest.rendered import source_documents
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.plan import Unknown

_WHAT = "post-renderers"


def post_rendered(manifest: str, post_renderers: Sequence[JSONObject]) -> tuple[str, tuple[Unknown, ...]]:
    """A manifest after post-renderers, and what of them could not be done.

    A renderer is an entry of a HelmRelease's ``postRenderers`` (``{"kustomize": {"patches": ..., "images":
    ...}}``) or its common metadata (``{"commonMetadata": {"labels": ..., "annotations": ...}}``). Documents
    keep their order and their ``# Source:`` lines; those that nothing changes keep their text. Flux writes
    all of them anew, which means the same.
    Source: fluxcd/helm-controller@v1.6.3 internal/postrender.
    """
    if not post_renderers:
        return manifest, ()
    parts = [_Part(text) for text in source_documents(manifest)]
    unknown: list[Unknown] = []
    for part in parts:
        if part.why:
            unknown.append(Unknown(_WHAT, part.why))
    for renderer in post_renderers:
        try:
            for part in parts:
                part.resources = list(_rendered(part.resources, renderer))
        except PatchError as error:
            unknown.append(Unknown(_WHAT, str(error)))
    return "".join(part.text() for part in parts), tuple(unknown)


def origin_labels(namespace: str, name: str) -> JSONObject:
    """The renderer that Flux adds to all of a HelmRelease's objects: labels with its namespace and name."""
    labels = {f"{HELM_GROUP}/name": name, f"{HELM_GROUP}/namespace": namespace}
    return {"commonMetadata": {"labels": labels}}


class _Part:
    """One document of the manifest: its lines up to the YAML, and the object, none where it has none."""

    def __init__(self, text: str) -> None:
        self.whole = text
        lines = text.splitlines(keepends=True)
        size = 0
        while size < len(lines) and lines[size].startswith(("---", "# Source:")):
            size += 1
        self.head = "".join(lines[:size])
        self.why = ""
        self.resources: list[Resource] = []
        try:
            body = yaml.load("".join(lines[size:]))
        except yaml.YAMLError as error:
            self.why = f"{self.head.splitlines()[-1].removeprefix('# Source: ')} is not YAML: {error.message}"
            body = None
        self.had_one = isinstance(body, dict)
        if isinstance(body, dict):
            self.resources.append(new_resource(Document(body, "")))

    def text(self) -> str:
        if not self.had_one:
            return self.whole
        if not self.resources:
            return ""
        document = self.resources[0].document
        return self.head + yaml.dump(document.body) if document.altered else self.whole


def _rendered(resources: Sequence[Resource], renderer: JSONObject) -> Iterator[Resource]:
    kustomize = renderer.get("kustomize")
    for patch in _patches(kustomize):
        resources = list(apply_patch(resources, patch))
    images = dicts_at(kustomize, "images")
    metadata = renderer.get("commonMetadata")
    for resource in resources:
        body = with_images(resource.document.body, images)
        body = _with_metadata(body, metadata) if isinstance(metadata, dict) else body
        yield resource if body is resource.document.body else resource.with_body(body)


def _patches(kustomize: JSONValue) -> Iterator[Patch]:
    """In kustomize's order: the merge patches of the old fields, the patches, the old JSON patches."""
    for merge in dicts_at(kustomize, "patchesStrategicMerge"):
        yield Patch(_WHAT, merges=(merge,))
    for entry in dicts_at(kustomize, "patches"):
        yield new_patch(text_at(entry, "patch"), entry, _WHAT)
    for entry in dicts_at(kustomize, "patchesJson6902"):
        target = entry.get("target")
        yield Patch(
            _WHAT,
            target=target if isinstance(target, dict) else None,
            operations=dicts_at(entry, "patch"),
        )


def _with_metadata(body: JSONObject, common: JSONObject) -> JSONObject:
    metadata = body.get("metadata")
    metadata = dict(metadata) if isinstance(metadata, dict) else {}
    for field in ("labels", "annotations"):
        added = common.get(field)
        if isinstance(added, dict) and added:
            before = metadata.get(field)
            metadata[field] = {**(before if isinstance(before, dict) else {}), **added}
    return body if metadata == body.get("metadata") else {**body, "metadata": metadata}
