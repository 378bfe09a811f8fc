"""Patches of a kustomization, of a Flux Kustomization or of a post-renderer, laid over resources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec.structs import replace

from helmguard.gitops.documents import dicts_at, read_documents, text_at
from helmguard.gitops.kustomize.json_patch import apply_json_patch
from helmguard.gitops.kustomize.kyaml_scalars import without_empty_entries
from helmguard.gitops.kustomize.merge_patch import apply_merge
from helmguard.gitops.kustomize.patch_error import PatchError
from helmguard.gitops.kustomize.resource import Resource
from helmguard.gitops.kustomize.selector import selects
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject
from helmguard.model.unshown import Unshown

ReadText: TypeAlias = Callable[[str], tuple[str, str]]


class Patch(Unshown, frozen=True):
    """One patch: operations of a JSON patch, or maps to merge; ``source`` says where it is written."""

    source: str
    target: JSONObject | None = None
    operations: list[JSONObject] | None = None
    merges: tuple[JSONObject, ...] = ()
    may_rename: bool = False
    may_change_kind: bool = False


def new_patch(text: str, entry: JSONObject, source: str) -> Patch:
    """The patch of a text, with the entry's target and options.

    Raises:
        PatchError: the text is no patch.
    """
    target = entry.get("target")
    options = entry.get("options")
    options = options if isinstance(options, dict) else {}
    patch = Patch(
        source,
        target=target if isinstance(target, dict) else None,
        may_rename=options.get("allowNameChange") is True,
        may_change_kind=options.get("allowKindChange") is True,
    )
    try:
        first = yaml.load(text)
        if isinstance(first, list):
            return replace(patch, operations=first)
        merges = tuple(
            document.body for document in read_documents(text.encode(errors="surrogatepass"), source)
        )
    except yaml.YAMLError as error:
        raise PatchError(f"a patch in {source} is not YAML: {error.message}") from None
    return replace(patch, merges=merges)


def apply_patch(resources: Sequence[Resource], patch: Patch) -> Iterator[Resource]:
    """The resources after one patch.

    Raises:
        PatchError: the patch does not apply to a resource that it is for.
    """
    for resource in resources:
        if patch.operations is None:
            merged = _merged(resource, patch)
            if merged is not None:
                yield merged
        elif patch.target is not None and selects(patch.target, resource):
            body = apply_json_patch(resource.document.body, patch.operations)
            yield replace(resource.with_body(body), rewritten=True)
        else:
            yield resource


def _merged(resource: Resource, patch: Patch) -> Resource | None:
    """The resource after a merge patch, None where that deletes it."""
    body: JSONObject | None = resource.document.body
    for merge in patch.merges:
        if body is not None and _is_for(merge, patch, resource):
            if not resource.rewritten:
                body = without_empty_entries(body, resource.document)
            body = _kept_identity(body, apply_merge(body, merge), patch)
    if body is None or body is resource.document.body:
        return None if body is None else resource
    return resource.with_body(body)


def _is_for(merge: JSONObject, patch: Patch, resource: Resource) -> bool:
    if patch.target is not None:
        return selects(patch.target, resource)
    metadata = merge.get("metadata")
    namespace = text_at(metadata, "namespace") or "default"
    document = resource.document
    return (
        document.kind == merge.get("kind")
        and document.group == str(merge.get("apiVersion") or "").rpartition("/")[0]
        and document.api_version == merge.get("apiVersion")
        and text_at(metadata, "name") in resource.names
        and namespace in resource.namespaces
    )


def _kept_identity(body: JSONObject, merged: JSONObject | None, patch: Patch) -> JSONObject | None:
    """A merge patch's own name, namespace and kind say what it is for; they are not laid over."""
    if merged is None:
        return None
    before = body.get("metadata")
    metadata = dict(merged.get("metadata") or {})
    kept = ("namespace",) if patch.may_rename else ("name", "namespace")
    for field in kept:
        metadata.pop(field, None)
        if isinstance(before, dict) and field in before:
            metadata[field] = before[field]
    kind = merged.get("kind") if patch.may_change_kind else body.get("kind")
    return {**merged, "kind": kind, "metadata": metadata}


def early_patches(body: JSONObject, source: str, read: ReadText) -> Iterator[Patch]:
    """The patches of a kustomization that kustomize lays over before it sets namespace and names.

    ``read`` gives a file's text and path. ``source`` is the kustomization's own file.

    Raises:
        PatchError: one cannot be read.
    """
    for item in _list(body, "patchesStrategicMerge"):
        if isinstance(item, str) and "\n" not in item.strip() and not item.lstrip().startswith("{"):
            yield _of_file(item, {}, read)
        else:
            yield new_patch(item if isinstance(item, str) else yaml.dump(item), {}, source)
    yield from _entries(body, "patches", source, read)


def late_patches(body: JSONObject, source: str, read: ReadText) -> Iterator[Patch]:
    """The patches that kustomize lays over after that: ``patchesJson6902``. Raises as `early_patches`."""
    yield from _entries(body, "patchesJson6902", source, read)


def _entries(body: JSONObject, field: str, source: str, read: ReadText) -> Iterator[Patch]:
    for entry in dicts_at(body, field):
        path = text_at(entry, "path")
        yield _of_file(path, entry, read) if path else new_patch(text_at(entry, "patch"), entry, source)


def _of_file(path: str, entry: JSONObject, read: ReadText) -> Patch:
    text, file = read(path)
    return new_patch(text, entry, file)


def _list(body: JSONObject, field: str) -> list[Any]:
    found = body.get(field)
    return found if isinstance(found, list) else []
