"""The objects of a manifest, each with the place it will live in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from helmguard.manifest.object_documents import read_documents, source_of
from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey

__all__ = ["IsNamespaced", "ManifestObject", "duplicates", "read_objects", "source_of"]

IsNamespaced = Callable[[str, str], "bool | None"]
"""(apiVersion, kind) → whether objects of the kind live in a namespace; None where that is not known."""


class ManifestObject(msgspec.Struct, frozen=True):
    """One object. ``namespace`` is None for cluster-scoped kinds, else the one it will live in.

    ``body`` is as the manifest has it (no namespace is filled in), its numbers int64 or float64 as the
    client's; it is shared with other readings of the same text and must not be changed. ``source`` is the
    template (``chart/templates/x.yaml``), empty where the manifest does not say; ``index`` counts the objects
    of the manifest from 0. ``name`` is empty where the API server makes it from ``metadata.generateName``.
    """

    api_version: str
    kind: str
    name: str
    namespace: str | None
    body: JSONObject
    source: str = ""
    index: int = 0

    @property
    def key(self) -> ResourceKey:
        """The object's identity."""
        return ResourceKey.of(self.api_version, self.kind, self.namespace, self.name)

    @property
    def generate_name(self) -> str:
        """``metadata.generateName``, empty where it has none."""
        return str((self.body.get("metadata") or {}).get("generateName") or "")


def read_objects(manifest: str, default_namespace: str, is_namespaced: IsNamespaced) -> list[ManifestObject]:
    """All objects in the manifest's order, lists taken apart, empty documents left out.

    An object without a namespace gets ``default_namespace`` if its kind lives in one; where the kind is not
    known it is taken to. Duplicates are kept.

    Raises:
        ManifestError: a document is no object; in the client's words, after template and document (from 1).
    """
    objects: list[ManifestObject] = []
    for source, document in read_documents(manifest):
        for body in document.bodies:
            objects.append(_object(body, source, default_namespace, is_namespaced, len(objects)))
    return objects


def duplicates(objects: Iterable[ManifestObject]) -> list[ResourceKey]:
    """Keys that more than one object has, in the order of their first."""
    counts = Counter(item.key for item in objects if item.name)
    return [key for key, count in counts.items() if count > 1]


def _object(
    body: JSONObject, source: str, default_namespace: str, is_namespaced: IsNamespaced, index: int
) -> ManifestObject:
    api_version, kind = body["apiVersion"], body["kind"]
    metadata = body.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    name, place = metadata.get("name"), None
    if is_namespaced(api_version, kind) is not False:
        own = metadata.get("namespace")
        place = own if isinstance(own, str) and own else default_namespace
    return ManifestObject(
        api_version, kind, name if isinstance(name, str) else "", place, body, source, index
    )
