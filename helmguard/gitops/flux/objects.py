"""The objects of one cluster, by kind, namespace and name."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.gitops.documents import Document, Documents, text_at
from helmguard.gitops.flux.kinds import READ_KINDS
from helmguard.model.json_value import JSONObject


class TreeObjects:
    """The objects of the tree's files as they are written; the last resort of every cluster."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._known: dict[tuple[str, str], list[Document]] | None = None

    def named(self, kind: str, name: str) -> list[Document]:
        """The objects of a name, in any namespace."""
        if self._known is None:
            self._known = {}
            for document in self._documents.of_kinds(*READ_KINDS):
                self._known.setdefault((document.kind, document.name), []).append(document)
        return self._known.get((kind, name), [])

    def only(self, kind: str, namespace: str, name: str) -> Document | None:
        """The object of this name whose file gives this namespace or none; None where several differ."""
        found = self.named(kind, name)
        there = [document for document in found if document.namespace == namespace]
        there = there or [document for document in found if not document.namespace]
        return there[0] if there and all(_content(it) == _content(there[0]) for it in there) else None

    def url(self, kind: str, name: str) -> str:
        """The address of a source, empty where none or several have the name."""
        urls = {text_at(document.spec, "url") for document in self.named(kind, name)}
        return urls.pop() if len(urls) == 1 else ""


class Objects:
    """What the Kustomizations of one cluster make."""

    def __init__(self, tree: TreeObjects, made: Iterable[Document] = ()) -> None:
        self._tree = tree
        self._made = {(it.kind, it.namespace or "default", it.name): it for it in made}

    def find(self, kind: str, namespace: str, name: str) -> Document | None:
        """The object, from this cluster if it has it, else from the tree where only one can be meant."""
        made = self._made.get((kind, namespace or "default", name))
        return made or self._tree.only(kind, namespace, name)


def _content(document: Document) -> JSONObject:
    return {key: value for key, value in document.body.items() if key != "metadata"}
