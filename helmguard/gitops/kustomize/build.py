"""What ``kustomize build`` makes of a folder, as far as Helm's input needs it.

Read: ``resources`` (files, folders), ``components``, generators, all kinds of patches, ``namespace``,
``namePrefix`` and ``nameSuffix``, in kustomize's own order. Left out, since no Helm input rests on them:
labels, annotations, images, replicas. Named as unknown: resources from elsewhere, ``replacements``,
``transformers`` and ``generators``.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator

from helmguard.gitops.documents import Document, Documents, dicts_at, text_at
from helmguard.gitops.kustomize.generators import generate
from helmguard.gitops.kustomize.kustomization_file import (
    is_remote,
    kustomization_file,
    read_kustomization,
)
from helmguard.gitops.kustomize.kyaml_scalars import as_kustomize_reads
from helmguard.gitops.kustomize.name_references import hashed, with_references
from helmguard.gitops.kustomize.not_built import not_built
from helmguard.gitops.kustomize.patch_error import PatchError
from helmguard.gitops.kustomize.patches import Patch, apply_patch, early_patches, late_patches
from helmguard.gitops.kustomize.resource import CLUSTER_SCOPED, Resource, new_resource
from helmguard.gitops.tree import joined
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.plan import Unknown
from helmguard.model.unshown import Unshown

_GENERATED_SUFFIXES = (".yaml", ".yml")
_NEVER_RENAMED = frozenset({"APIService", "CustomResourceDefinition", "Namespace"})


class Built(Unshown, frozen=True):
    """What a folder makes. ``reads``: its kustomizations and patches; ``unknown``: what is missing in it.

    The files that a generator takes in stand in its documents (`Document.data_files`).
    """

    documents: tuple[Document, ...] = ()
    reads: frozenset[str] = frozenset()
    unknown: tuple[Unknown, ...] = ()


def build(documents: Documents, folder: str) -> Built:
    """What ``kustomize build`` makes of a folder; a folder without a kustomization as Flux generates one."""
    return Builder(documents).build(folder)


class _Part:
    """What is accumulated so far, changed as a build goes on."""

    __slots__ = ("configurations", "reads", "resources", "unknown")

    def __init__(self) -> None:
        self.resources: list[Resource] = []
        self.configurations: list[JSONObject] = []
        self.reads: set[str] = set()
        self.unknown: list[Unknown] = []

    def extend(self, other: _Part) -> None:
        """Take in what another kustomization made."""
        self.resources += other.resources
        self.configurations += other.configurations
        self.reads |= other.reads
        self.unknown += other.unknown


class Builder:
    """Builds folders of one tree, each once. Files that seem to hold none of ``kinds`` are not read."""

    def __init__(self, documents: Documents, kinds: Collection[str] = ()) -> None:
        self.documents = documents
        self._files = frozenset(documents.files_of(*kinds)) if kinds else None
        self._built: dict[str, _Part] = {}
        self._under_way: list[str] = []

    def build(self, folder: str, overlay: JSONObject | None = None) -> Built:
        """What a folder makes. ``overlay`` is the ``spec`` of a Flux Kustomization: its namespace, names,
        patches and components are written into the folder's kustomization, as Flux does (fluxcd/pkg
        kustomize/kustomize_generator.go).
        """
        path = kustomization_file(self.documents, folder)
        body, why = read_kustomization(self.documents, path) if path else self._generated(folder)
        if why:
            return Built(reads=frozenset({path}), unknown=(Unknown(path, why),))
        part = _Part()
        self._accumulate(part, _overlaid(body, overlay or {}), folder, path)
        resources = with_references(hashed(part.resources), part.configurations)
        return Built(
            tuple(resource.document for resource in resources),
            frozenset(part.reads),
            tuple(dict.fromkeys(part.unknown)),
        )

    def _generated(self, folder: str) -> tuple[JSONObject, str]:
        """The kustomization that Flux writes into a folder that has none."""
        resources: list[str] = []
        skipped: str | None = None
        for path in self.documents.paths.under(folder):
            if skipped is not None and path.startswith(skipped):
                continue
            inner = self._outermost_kustomization(folder, posixpath.dirname(path))
            if inner:
                skipped = inner + "/"
                resources.append(posixpath.relpath(inner, folder or "."))
            elif path.endswith(_GENERATED_SUFFIXES):
                resources.append(posixpath.relpath(path, folder or "."))
        return {"resources": resources}, ""

    def _outermost_kustomization(self, folder: str, inner: str) -> str:
        relative = posixpath.relpath(inner or ".", folder or ".")
        steps = [] if relative == "." else relative.split("/")
        folders = (posixpath.join(folder, *steps[:length]) for length in range(1, len(steps) + 1))
        return next((path for path in folders if kustomization_file(self.documents, path)), "")

    def _accumulate(self, part: _Part, body: JSONObject, folder: str, path: str) -> None:
        """One kustomization over what is there already (nothing, or what a component is laid over)."""
        name = path or folder or "."
        if path:
            part.reads.add(path)
        for resource in body.get("resources") or ():
            self._add_resource(part, resource, folder, name)
        read = self._reader(part, folder)
        self._step(part, name, lambda: generate(part.resources, body, path, read))
        for component in body.get("components") or ():
            self._add_component(part, component, folder, name)
        self._patch(part, name, lambda: early_patches(body, name, self._reader(part, folder, remembers=True)))
        part.resources = [_named(resource, body) for resource in part.resources]
        self._patch(part, name, lambda: late_patches(body, name, self._reader(part, folder, remembers=True)))
        part.configurations += self._configurations(part, body, folder, name)
        part.unknown += not_built(self.documents, body, folder, name)

    def _add_resource(self, part: _Part, resource: str, folder: str, name: str) -> None:
        target = joined(folder, resource)
        entries = self.documents.tree.entries
        if target is not None and target in entries:
            part.resources += self._file(part, target)
        elif target is not None and self.documents.paths.is_folder(target):
            part.extend(self._folder(target))
        elif is_remote(resource):
            part.unknown.append(Unknown(name, f"its resource {_shown(resource)} is not in the repository"))
        else:
            part.unknown.append(Unknown(name, f"its resource {resource} does not exist"))

    def _file(self, part: _Part, path: str) -> Iterator[Resource]:
        if self._files is not None and path not in self._files:
            return
        why = self.documents.why_unreadable(path)
        if why:
            part.unknown.append(Unknown(path, why))
        for document in self.documents.of_file(path):
            yield from map(new_resource, _items(as_kustomize_reads(document)))

    def _configurations(self, part: _Part, body: JSONObject, folder: str, name: str) -> Iterator[JSONObject]:
        for item in body.get("configurations") or ():
            path = joined(folder, str(item))
            found = self.documents.of_file(path) if path is not None else []
            if not found or path is None:
                part.unknown.append(Unknown(name, f"its configuration {item} cannot be read"))
                continue
            part.reads.add(path)
            yield from (document.body for document in found)

    def _folder(self, folder: str) -> _Part:
        """What another kustomization makes, on its own."""
        if folder not in self._built:
            part = _Part()
            path = kustomization_file(self.documents, folder)
            if not path:
                part.unknown.append(
                    Unknown(folder, "it is used as a kustomization and has no kustomization.yaml")
                )
            elif folder in self._under_way:
                part.unknown.append(Unknown(path, "its resources lead back to itself"))
                return part
            else:
                self._under_way.append(folder)
                self._accumulate_file(part, folder, path)
                self._under_way.pop()
            self._built[folder] = part
        return self._built[folder]

    def _accumulate_file(self, part: _Part, folder: str, path: str) -> None:
        body, why = read_kustomization(self.documents, path)
        if why:
            part.reads.add(path)
            part.unknown.append(Unknown(path, why))
        else:
            self._accumulate(part, body, folder, path)

    def _add_component(self, part: _Part, component: str, folder: str, name: str) -> None:
        target = joined(folder, component)
        path = kustomization_file(self.documents, target) if target is not None else ""
        if target is None or not path:
            where = "is not in the repository" if is_remote(component) else "does not exist"
            part.unknown.append(Unknown(name, f"its component {_shown(component)} {where}"))
        elif target in self._under_way:
            part.unknown.append(Unknown(path, "its components lead back to itself"))
        else:
            self._under_way.append(target)
            self._accumulate_file(part, target, path)
            self._under_way.pop()

    def _reader(
        self, part: _Part, folder: str, *, remembers: bool = False
    ) -> Callable[[str], tuple[str, str]]:
        def read(relative: str) -> tuple[str, str]:
            path = joined(folder, relative)
            if path is None or path not in self.documents.tree.entries:
                where = "is not in the repository" if is_remote(relative) else "does not exist"
                raise PatchError(f"its file {_shown(relative)} {where}")
            if remembers:
                part.reads.add(path)
            return self.documents.tree.read(path).decode("utf-8", errors="surrogateescape"), path

        return read

    def _step(self, part: _Part, name: str, step: Callable[[], Iterable[Resource]]) -> None:
        try:
            part.resources = list(step())
        except PatchError as error:
            part.unknown.append(Unknown(name, str(error)))

    def _patch(self, part: _Part, name: str, patches: Callable[[], Iterable[Patch]]) -> None:
        try:
            for patch in patches():
                part.resources = list(apply_patch(part.resources, patch))
        except PatchError as error:
            part.unknown.append(Unknown(name, str(error)))


def _items(document: Document) -> Iterator[Document]:
    """The objects of a list, or the document itself."""
    if document.kind.endswith("List") and isinstance(document.body.get("items"), list):
        yield from (document.altered_to(item) for item in dicts_at(document.body, "items"))
    else:
        yield document


def _overlaid(body: JSONObject, spec: JSONObject) -> JSONObject:
    """A kustomization with the fields that a Flux Kustomization sets in it."""
    overlaid = dict(body)
    for field, ours in (("namespace", "targetNamespace"), ("namePrefix",) * 2, ("nameSuffix",) * 2):
        if text_at(spec, ours):
            overlaid[field] = text_at(spec, ours)
    for field in ("patches", "patchesStrategicMerge", "patchesJson6902", "components"):
        added = spec.get(field)
        if isinstance(added, list):
            overlaid[field] = [*(overlaid.get(field) or []), *map(_as_text_patch, added)]
    return overlaid


def _as_text_patch(entry: JSONValue) -> JSONValue:
    """Flux's old ``patchesJson6902`` holds the operations as a list, kustomize a text."""
    if isinstance(entry, dict) and isinstance(entry.get("patch"), list):
        return {**entry, "patch": yaml.dump(entry["patch"])}
    return entry


def _named(resource: Resource, body: JSONObject) -> Resource:
    kind = resource.document.kind
    namespace = text_at(body, "namespace")
    if namespace and kind not in CLUSTER_SCOPED:
        resource = resource.with_metadata("namespace", namespace)
    if namespace and kind == "Namespace":
        resource = resource.with_metadata("name", namespace)
    name = text_at(body, "namePrefix") + resource.document.name + text_at(body, "nameSuffix")
    return resource if kind in _NEVER_RENAMED else resource.with_metadata("name", name)


def _shown(address: str) -> str:
    """An address without user and password."""
    return re.sub(r"//[^/@]*@", "//", address)
