"""Documents as the kustomizations of the tree change them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from helmguard.gitops.documents import Document, Documents
from helmguard.gitops.kustomize.build import Builder
from helmguard.gitops.kustomize_charts import kustomization_folders, used_by_others
from helmguard.model.unshown import Unshown

_Key = tuple[str, int]


class PatchedDocuments(Unshown, frozen=True):
    """``changed`` are the versions of documents that kustomizations change, by file and line; ``patches``
    are the files that are patches themselves.
    """

    changed: Mapping[_Key, tuple[Document, ...]]
    patches: frozenset[str] = frozenset()

    def versions(self, document: Document) -> tuple[Document, ...]:
        """What becomes of a document of a file: itself where no kustomization changes it."""
        if document.file in self.patches:
            return ()
        return self.changed.get(_key(document), (document,))


def patched_documents(documents: Documents, kinds: Sequence[str]) -> PatchedDocuments:
    """The documents of these kinds that kustomizations change, built from those that no other one uses."""
    if next(documents.files_of(*kinds), None) is None:
        return PatchedDocuments({})
    folders = kustomization_folders(documents)
    inner = used_by_others(documents, folders)
    builder = Builder(documents, kinds)
    versions: dict[_Key, list[Document]] = {}
    resources: set[str] = set()
    reads: set[str] = set()
    for folder in folders:
        if folder in inner:
            continue
        built = builder.build(folder)
        reads |= built.reads
        for document in built.documents:
            resources.add(document.file)
            if document.kind in kinds:
                context = (f"Kustomization {folder or '.'}",)
                versions.setdefault(_key(document), []).append(replace(document, context=context))
    return PatchedDocuments(
        {key: _told_apart(found) for key, found in versions.items() if any(one.altered for one in found)},
        frozenset(reads - resources),
    )


def _told_apart(found: list[Document]) -> tuple[Document, ...]:
    """One version keeps its plain identity; several are named after what builds them."""
    return tuple(found) if len(found) > 1 else (replace(found[0], context=()),)


def _key(document: Document) -> _Key:
    return document.file, document.lines_before
