"""The objects of one cluster, by kind, namespace and name."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.gitops.documents import Document, Documents
from helmguard.gitops.flux.kinds import READ_KINDS


class TreeObjects:
    """The objects of the tree's files as they are written; the last resort of every cluster."""

    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self._known: dict[tuple[str, str], list[Document]] | None = None

    def only(self, kind: str, namespace: str, name: str) -> Document | None:
        """The one object of this name whose file gives this namespace or none; None where several do."""
        if self._known is None:
            self._known = {}
            for document in self.documents.of_kinds(*READ_KINDS):
                self._known.setdefault((document.kind, document.name), []).append(document)
        found = self._known.get((kind, name), [])
        there = [document for document in found if document.namespace == namespace]
        there = there or [document for document in found if not document.namespace]
        return there[0] if len(there) == 1 else None


class Objects:
    """What the Kustomizations of one cluster make."""

    def __init__(self, tree: TreeObjects, made: Iterable[Document] = ()) -> None:
        self._tree = tree
        self._made = {(it.kind, it.namespace or "default", it.name): it for it in made}

    def find(self, kind: str, namespace: str, name: str) -> Document | None:
        """The object, from this cluster if it has it, else from the tree where only one can be meant."""
        made = self._made.get((kind, namespace or "default", name))
        return made or self._tree.only(kind, namespace, name)
