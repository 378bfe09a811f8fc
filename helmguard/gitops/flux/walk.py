"""Flux Kustomizations, and what each of them brings to its cluster."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence

from helmguard.gitops.documents import Document, Documents
from helmguard.gitops.flux.kinds import READ_KINDS, Key, is_kustomization, key_of, title, where
from helmguard.gitops.flux.objects import Objects, TreeObjects
from helmguard.gitops.flux.own_sources import OwnSources
from helmguard.gitops.flux.substitution import substituted, variables_of
from helmguard.gitops.kustomize.build import Builder, Built
from helmguard.model.plan import Unknown
from helmguard.model.unshown import Unshown


class Reached(Unshown, frozen=True):
    """An object that a Flux Kustomization makes. ``chain``: the Kustomizations that lead to it, outermost
    first. ``reads``: the files that they and their builds rest on."""

    document: Document
    chain: tuple[Document, ...]
    reads: frozenset[str]
    unknown: tuple[Unknown, ...] = ()
    remarks: tuple[str, ...] = ()


class Cluster(Unshown, frozen=True):
    """All that one outermost Kustomization leads to. ``label`` tells clusters apart: its path, or where that
    is not its alone, the folder of its file and its name."""

    label: str
    reached: tuple[Reached, ...]
    objects: Objects
    unknown: tuple[Unknown, ...] = ()


class Walk:
    """Goes through the Flux Kustomizations of a tree."""

    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self.builder = Builder(documents, READ_KINDS)
        self.tree_objects = TreeObjects(documents)
        found = [it for it in documents.of_kinds("Kustomization") if is_kustomization(it)]
        generators = documents.of_kinds("ArtifactGenerator")
        self.own = OwnSources(found, generators, documents.paths, self.tree_objects)
        self._found = found
        self._plain: dict[str, Built] = {}

    def clusters(self) -> list[Cluster]:
        """One for each Kustomization that no other one makes, in the order of their files."""
        roots = self._roots()
        counted = Counter(self._label(root) for root in roots)
        return [self._cluster(root, is_only=counted[self._label(root)] == 1) for root in roots]

    def _label(self, root: Document) -> str:
        return self.own.folder(root) or title(root)

    def _roots(self) -> list[Document]:
        found = self._found
        made_by = {key_of(document): self._made(document) for document in found}
        inner = {key for maker, made in made_by.items() for key in made if key != maker}
        roots = [document for document in found if key_of(document) not in inner]
        reached: set[Key] = set()
        for root in roots:
            _reach(key_of(root), made_by, reached)
        # What is left goes round in a circle; the first file of each circle begins it.
        for document in found:
            if key_of(document) not in reached:
                roots.append(document)
                _reach(key_of(document), made_by, reached)
        return roots

    def _made(self, kustomization: Document) -> list[Key]:
        folder = self.own.folder(kustomization)
        if folder is None:
            return []
        if folder not in self._plain:
            self._plain[folder] = self.builder.build(folder)
        return [key_of(it) for it in self._plain[folder].documents if is_kustomization(it)]

    def _cluster(self, root: Document, *, is_only: bool) -> Cluster:
        objects = Objects(self.tree_objects)
        reached: list[Reached] = []
        unknown: list[Unknown] = []
        for _ in range(2):  # the second time with the ConfigMaps that the first one found
            reached, unknown = [], []
            needs_data = self._follow(root, (), objects, reached, unknown)
            objects = Objects(self.tree_objects, (it.document for it in reached))
            if not needs_data:
                break
        label = self._label(root)
        if not is_only:
            # Several clusters build one folder: the folder of each one's own Kustomization tells them apart.
            label = f"{posixpath.dirname(root.file)} › {title(root)}"
        return Cluster(label, tuple(reached), objects, tuple(dict.fromkeys(unknown)))

    def _follow(
        self,
        kustomization: Document,
        above: tuple[Document, ...],
        objects: Objects,
        reached: list[Reached],
        unknown: list[Unknown],
    ) -> bool:
        """Add what a Kustomization and those it makes bring; says whether any takes variables from data."""
        if any(title(it) == title(kustomization) for it in above):
            return False
        chain = (*above, kustomization)
        folder = self.own.folder(kustomization)
        if folder is None:
            unknown.append(Unknown(where(kustomization), self.own.why_not(kustomization)))
            return False
        built = self.builder.build(folder, kustomization.spec)
        unknown += built.unknown
        variables = variables_of(kustomization, objects)
        needs_data = bool(kustomization.spec.get("postBuild"))
        reads = built.reads | {it.file for it in chain}
        inner: list[Document] = []
        for document in built.documents:
            missing: tuple[Unknown, ...] = ()
            remarks: tuple[str, ...] = ()
            if variables is not None:
                document, missing, remarks = substituted(document, kustomization, variables)
            reached.append(Reached(document, chain, reads, missing, remarks))
            if is_kustomization(document):
                inner.append(document)
        for document in inner:
            needs_data |= self._follow(document, chain, objects, reached, unknown)
        return needs_data


def _reach(start: Key, made_by: Mapping[Key, Sequence[Key]], reached: set[Key]) -> None:
    pending = [start]
    while pending:
        key = pending.pop()
        if key not in reached:
            reached.add(key)
            pending += made_by.get(key, ())
