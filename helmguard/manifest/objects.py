"""The objects of a manifest, as Helm's Kubernetes client builds them from the stored text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from helmguard.errors import ManifestError
from helmguard.manifest import yaml
from helmguard.manifest.documents import split_kubectl
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.resource_key import ResourceKey

IsNamespaced = Callable[[str, str], "bool | None"]
"""(apiVersion, kind) → whether objects of the kind live in a namespace; None where that is not known."""

_SOURCE = "# Source: "


@dataclass(frozen=True, slots=True)
class ManifestObject:
    """One object. ``namespace`` is None for cluster-scoped kinds, else the one it will live in.

    ``source`` is the template (``chart/templates/x.yaml``), empty where the manifest does not say;
    ``index`` counts the objects of the manifest from 0. ``name`` is empty where the API server makes it
    from ``metadata.generateName``.
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
    """All objects in the manifest's order, lists taken apart.

    An object without a namespace gets ``default_namespace`` if its kind lives in one; where the kind is not
    known it is taken to.

    Raises:
        ManifestError: a document is no object; names the template.
    """
    objects: list[ManifestObject] = []
    for text in split_kubectl(manifest):
        source = source_of(text)
        for body in _bodies(text, source):
            objects.append(_object(body, source, default_namespace, is_namespaced, len(objects)))
    return objects


def duplicates(objects: Iterable[ManifestObject]) -> list[ResourceKey]:
    """Keys that more than one object has, in the order of their first."""
    counts = Counter(item.key for item in objects if item.name)
    return [key for key, count in counts.items() if count > 1]


def source_of(document: str) -> str:
    """The template a document came from, by Helm's comment on top of it; empty without one."""
    for line in document.split("\n"):
        if line.startswith(_SOURCE):
            return line.removeprefix(_SOURCE).strip()
        if line.strip() and not line.startswith("#"):
            return ""
    return ""


def _bodies(text: str, source: str) -> Iterator[JSONObject]:
    try:
        document = yaml.load(text)
    except ManifestError as error:
        raise ManifestError(f"{source or 'manifest'}: {error.message}", remedy=error.remedy) from None
    if document is None:
        return
    yield from _flatten(document, source)


def _flatten(document: JSONValue, source: str) -> Iterator[JSONObject]:
    if not isinstance(document, dict):
        raise ManifestError(f"{source or 'manifest'}: a document is not a Kubernetes object (no mapping)")
    items = document.get("items")
    if isinstance(items, list) and document.get("kind"):
        for item in items:
            yield from _flatten(item, source)
        return
    yield document


def _object(
    body: JSONObject, source: str, default_namespace: str, is_namespaced: IsNamespaced, index: int
) -> ManifestObject:
    api_version, kind = body.get("apiVersion"), body.get("kind")
    for field, value in (("apiVersion", api_version), ("kind", kind)):
        if not isinstance(value, str) or not value:
            raise ManifestError(f"{source or 'manifest'}: a document has no {field}")
    metadata = body.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise ManifestError(f"{source or 'manifest'}: metadata of a {kind} is not a mapping")
    name, namespace = metadata.get("name"), metadata.get("namespace")
    for field, value in (("name", name), ("namespace", namespace)):
        if value is not None and not isinstance(value, str):
            raise ManifestError(
                f"{source or 'manifest'}: metadata.{field} of a {kind} is not a string",
                remedy="Quote it in the template.",
            )
    place: str | None = None
    if is_namespaced(str(api_version), str(kind)) is not False:
        place = namespace or default_namespace
    return ManifestObject(str(api_version), str(kind), name or "", place, body, source, index)
