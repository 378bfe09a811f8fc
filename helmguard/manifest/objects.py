"""The objects of a manifest, as Helm's Kubernetes client builds them from the stored text.

Source: k8s.io/cli-runtime v0.37.0 pkg/resource (visitor.go, mapper.go), k8s.io/apimachinery v0.37.0
pkg/apis/meta/v1/unstructured/helpers.go; checked against both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from helmguard.errors import ManifestError
from helmguard.manifest.json_kind import json_kind, mismatch
from helmguard.manifest.object_meta import metadata_problem
from helmguard.manifest.stream import read_stream
from helmguard.manifest.yaml import go_json
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.resource_key import ResourceKey

IsNamespaced = Callable[[str, str], "bool | None"]
"""(apiVersion, kind) → whether objects of the kind live in a namespace; None where that is not known."""

_SOURCE = "# Source: "
_LONGEST_QUOTE = 300


@dataclass(frozen=True, slots=True)
class ManifestObject:
    """One object. ``namespace`` is None for cluster-scoped kinds, else the one it will live in.

    ``body`` is as the manifest has it (no namespace is filled in), its numbers int64 or float64 as the
    client's. ``source`` is the template (``chart/templates/x.yaml``), empty where the manifest does not say;
    ``index`` counts the objects of the manifest from 0. ``name`` is empty where the API server makes it from
    ``metadata.generateName``.
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
    source, number = "", 1
    try:
        for text, read in read_stream(manifest):
            # Helm 3 may leave a separator between its comment and the document it belongs to.
            source = source_of(text) or source
            document = read()
            for body in [] if document is None else _bodies(document):
                objects.append(_object(body, source, default_namespace, is_namespaced, len(objects)))
            number += 1
            if document is not None:
                source = ""
    except ManifestError as error:
        place = f"{source or 'manifest'}, document {number}"
        raise ManifestError(f"{place}: {error.message}", remedy=error.remedy) from None
    return objects


def duplicates(objects: Iterable[ManifestObject]) -> list[ResourceKey]:
    """Keys that more than one object has, in the order of their first."""
    counts = Counter(item.key for item in objects if item.name)
    return [key for key, count in counts.items() if count > 1]


def source_of(document: str) -> str:
    """The template a document came from, by Helm's comment on top of it; empty without one."""
    for line in document.split("\n", 5)[:5]:
        if line.startswith(_SOURCE):
            return line.removeprefix(_SOURCE).strip()
        if line.strip() and not line.startswith(("#", "---")):
            return ""
    return ""


def _bodies(document: JSONValue) -> Iterator[JSONObject]:
    """The object itself, or the items of a list: to the client that is whatever has a field ``items``."""
    if not isinstance(document, dict):
        what = json_kind(document)
        raise _undecodable(f"json: cannot unmarshal {what} into Go value of type unstructured.detector")
    items = document.get("items", [])
    if not isinstance(items, list | None):
        raise _undecodable(mismatch(items, "decodeList.items", "[]json.RawMessage"))
    if not _group_version_kind(document)[1]:
        raise _undecodable(f"Object 'Kind' is missing in '{go_json(document)[:_LONGEST_QUOTE]}'")
    problem = metadata_problem(document)
    if problem:
        raise _undecodable(
            problem, remedy="Quote the value in the template." if "ObjectMeta" in problem else ""
        )
    if "items" in document:
        yield from (_item(item, document) for item in items or ())
    else:
        yield document


def _item(item: JSONValue, whole: JSONObject) -> JSONObject:
    if not isinstance(item, dict | None):
        raise _undecodable(
            f"json: cannot unmarshal {json_kind(item)} into Go value of type map[string]interface {{}}"
        )
    body: JSONObject = item or {}
    if not _text(body.get("kind")) and not _text(body.get("apiVersion")):
        kind = _text(whole.get("kind")).removesuffix("List")
        body = body | {"kind": kind, "apiVersion": _text(whole.get("apiVersion"))}
    if isinstance(body.get("items"), list):
        raise ManifestError(
            "*unstructured.Unstructured is not a list: no Items field in this object",
            remedy="Do not put a list into a list.",
        )
    if not _group_version_kind(body)[1]:
        raise _untyped("Object 'Kind' is missing in 'object has no kind field '")
    if not _text(body.get("apiVersion")):
        raise _untyped("Object 'apiVersion' is missing in 'object has no apiVersion field'")
    return body


def _object(
    body: JSONObject, source: str, default_namespace: str, is_namespaced: IsNamespaced, index: int
) -> ManifestObject:
    api_version, kind = _group_version_kind(body)
    if not api_version:
        raise ManifestError('error validating "": error validating data: apiVersion not set')
    metadata = body.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    place: str | None = None
    if is_namespaced(api_version, kind) is not False:
        place = _text(metadata.get("namespace")) or default_namespace
    return ManifestObject(api_version, kind, _text(metadata.get("name")), place, body, source, index)


def _group_version_kind(body: JSONObject) -> tuple[str, str]:
    """apiVersion and kind; both empty where the client cannot make sense of the apiVersion."""
    api_version = _text(body.get("apiVersion"))
    return ("", "") if api_version.count("/") > 1 else (api_version, _text(body.get("kind")))


def _text(value: JSONValue) -> str:
    return value if isinstance(value, str) else ""


def _undecodable(problem: str, remedy: str = "") -> ManifestError:
    return ManifestError(f'unable to decode "": {problem}', remedy=remedy)


def _untyped(problem: str) -> ManifestError:
    return ManifestError(f'unable to get type info from the object "*unstructured.Unstructured": {problem}')
