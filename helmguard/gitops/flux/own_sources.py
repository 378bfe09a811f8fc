"""Which Flux sources are the tree itself, and which are other repositories."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from helmguard.gitops.documents import Document, text_at
from helmguard.gitops.flux.objects import TreeObjects
from helmguard.gitops.tree import Paths

Source = tuple[str, str]
"""Kind and name; a file of a Kustomization often does not give its namespace."""


def folder_of(kustomization: Document) -> str:
    """The folder that a Flux Kustomization builds, from the root of its source."""
    path = posixpath.normpath(text_at(kustomization.spec, "path").lstrip("/") or ".")
    return "" if path == "." else path


def source_of(kustomization: Document) -> Source:
    """What a Flux Kustomization is built from."""
    reference = kustomization.spec.get("sourceRef")
    return text_at(reference, "kind"), text_at(reference, "name")


def own_sources(kustomizations: Sequence[Document], paths: Paths, objects: TreeObjects) -> frozenset[Source]:
    """The sources that are this tree: those of which it has a folder that a Kustomization builds.

    Every tree has a root, so that a Kustomization of a root shows nothing, unless no other shows more; what
    has the address of one of them is the tree as well.
    """
    shown = {
        source_of(kustomization)
        for kustomization in kustomizations
        if folder_of(kustomization) and paths.is_folder(folder_of(kustomization))
    }
    if not shown:
        shown = {source_of(it) for it in kustomizations if source_of(it)[0] == "GitRepository"}
    urls = {objects.url(*source) for source in shown} - {""}
    same = {source_of(it) for it in kustomizations if objects.url(*source_of(it)) in urls}
    return frozenset(shown | same)
