"""HelmReleases that no Flux Kustomization of the tree leads to."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from helmguard.gitops.documents import Document, Documents
from helmguard.gitops.flux.kinds import Key, is_helm_release, key_of
from helmguard.gitops.kustomize.build import Builder
from helmguard.gitops.kustomize.kustomization_file import FILE_NAMES, read_kustomization
from helmguard.gitops.tree import joined
from helmguard.model.unshown import Unshown


class Unreached(Unshown, frozen=True):
    """A HelmRelease as the kustomization of ``folder`` makes it, or, without one, as its file has it.

    ``made``: all that the kustomization makes.
    """

    document: Document
    folder: str = ""
    reads: frozenset[str] = frozenset()
    made: tuple[Document, ...] = ()


def unreached_releases(
    documents: Documents, builder: Builder, reached: frozenset[Key], read: frozenset[str]
) -> Iterator[Unreached]:
    """The HelmReleases that are left. ``reached`` are those that are not, ``read`` the files that served as
    patches of others. What has no chart is a patch, no release."""
    left = {
        key_of(document): document
        for document in documents.of_kinds("HelmRelease")
        if is_helm_release(document)
        and key_of(document) not in reached
        and (document.rendered_by or document.file not in read)
        and ("chart" in document.spec or "chartRef" in document.spec)
    }
    if not left:
        return
    built_here: set[Key] = set()
    patches: set[str] = set()
    for folder in _outermost_folders(documents):
        built = builder.build(folder)
        patches |= built.reads
        for document in built.documents:
            key = key_of(document)
            if key in left and is_helm_release(document):
                built_here.add(key)
                yield Unreached(document, folder, built.reads, built.documents)
    for key, document in left.items():
        if key not in built_here and (document.rendered_by or document.file not in patches):
            yield Unreached(document)


def _outermost_folders(documents: Documents) -> list[str]:
    """The folders with a kustomization that no other kustomization takes in."""
    files = [path for path in documents.own_paths() if posixpath.basename(path) in FILE_NAMES]
    taken: set[str] = set()
    folders: list[str] = []
    for path in files:
        folder = posixpath.dirname(path)
        body, _ = read_kustomization(documents, path)
        if body.get("kind") != "Component":
            folders.append(folder)
        for resource in (*(body.get("resources") or ()), *(body.get("components") or ())):
            target = joined(folder, resource)
            if target is not None and target != folder:
                taken.add(target)
    return [folder for folder in folders if folder not in taken]
