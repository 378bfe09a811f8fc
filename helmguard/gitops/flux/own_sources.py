"""Which Flux sources are the tree itself, and which are other repositories."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from helmguard.gitops.documents import Document, dicts_at, text_at
from helmguard.gitops.flux.objects import TreeObjects
from helmguard.gitops.tree import Paths

_ARTIFACT = "ExternalArtifact"
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


class _Copy(msgspec.Struct, frozen=True):
    """The folder ``to`` of an artifact is the folder ``origin`` of a source."""

    artifact: str
    to: str
    source: Source
    origin: str


class OwnSources:
    """Tells where in the tree the folders of Flux Kustomizations are.

    The tree is those sources of which it has a folder that a Kustomization builds. Every tree has a root, so
    that a Kustomization of a root shows nothing, unless no other shows more; what has the address of one of
    them is the tree as well. An ``ExternalArtifact`` is what an ``ArtifactGenerator`` copies from the tree.
    """

    def __init__(
        self,
        kustomizations: Sequence[Document],
        generators: Iterable[Document],
        paths: Paths,
        objects: TreeObjects,
    ) -> None:
        self._paths = paths
        copies = [copy for generator in generators for copy in _copies(generator)]
        shown = {
            source_of(it)
            for it in kustomizations
            if source_of(it)[0] != _ARTIFACT and folder_of(it) and paths.is_folder(folder_of(it))
        }
        shown |= {it.source for it in copies if it.origin and paths.is_folder(it.origin)}
        if not shown:
            shown = {source_of(it) for it in kustomizations if source_of(it)[0] == "GitRepository"}
        urls = {objects.url(*source) for source in shown} - {""}
        same = {source_of(it) for it in kustomizations if objects.url(*source_of(it)) in urls}
        self.sources = frozenset(shown | same)
        self._copies = [it for it in copies if it.source in self.sources]

    def folder(self, kustomization: Document) -> str | None:
        """The folder of the tree that a Kustomization builds; None where the tree does not have it."""
        source = source_of(kustomization)
        folders = [folder_of(kustomization)] if source in self.sources else []
        if source[0] == _ARTIFACT:
            folders = list(self._copied(source[1], folder_of(kustomization)))
        return next((it for it in folders if it == "" or self._paths.is_folder(it)), None)

    def _copied(self, artifact: str, path: str) -> Iterator[str]:
        for it in self._copies:
            inside = it.to == "" or path == it.to or path.startswith(f"{it.to}/")
            if it.artifact == artifact and inside:
                yield posixpath.normpath(posixpath.join(it.origin, path[len(it.to) :].lstrip("/")))

    def why_not(self, kustomization: Document) -> str:
        """Why there is no folder for a Kustomization."""
        kind, name = source_of(kustomization)
        if (kind, name) in self.sources:
            return f"its path {folder_of(kustomization)} does not exist"
        if kind == _ARTIFACT and any(it.artifact == name for it in self._copies):
            return f"{kind} {name} has no {folder_of(kustomization)} from this repository"
        return f"it is built from {kind} {name}, which is not this repository"


def _copies(generator: Document) -> Iterator[_Copy]:
    """The whole folders that a generator copies."""
    sources = {
        text_at(source, "alias"): (text_at(source, "kind"), text_at(source, "name"))
        for source in dicts_at(generator.spec, "sources")
    }
    for artifact in dicts_at(generator.spec, "artifacts"):
        for copy in dicts_at(artifact, "copy"):
            alias, _, origin = text_at(copy, "from").removeprefix("@").partition("/")
            root, _, to = text_at(copy, "to").partition("/")
            whole = origin == "**" or origin.endswith("/**")
            if alias in sources and root == "@artifact" and whole:
                folder = origin.removesuffix("**").strip("/")
                yield _Copy(text_at(artifact, "name"), to.strip("/"), sources[alias], folder)
