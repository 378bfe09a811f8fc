"""The documents of a manifest and the objects in each, as Helm's Kubernetes client reads them.

Source: k8s.io/cli-runtime v0.37.0 pkg/resource (visitor.go, mapper.go), k8s.io/apimachinery v0.37.0
pkg/apis/meta/v1/unstructured/helpers.go; checked against both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeAlias
from weakref import WeakValueDictionary

import msgspec

from helmguard.errors import ManifestError
from helmguard.manifest.json_kind import json_kind, mismatch
from helmguard.manifest.object_meta import metadata_problem
from helmguard.manifest.stream import read_stream
from helmguard.manifest.yaml import go_json
from helmguard.model.json_value import JSONObject, JSONValue

_SOURCE = "# Source: "
_LONGEST_QUOTE = 300
_MANIFESTS_KEPT = 4
"""As many as one plan reads again and again: previous, new, and some of what tells causes apart."""


class ObjectDocument(msgspec.Struct, frozen=True, weakref=True):
    """The objects in one document, lists taken apart. They are shared: never change a body.

    ``is_empty``: there is nothing in it, not even a list without items.
    """

    bodies: tuple[JSONObject, ...]
    is_empty: bool = False


Documents: TypeAlias = tuple[tuple[str, ObjectDocument], ...]
"""Each document with the template it came from, empty where the manifest does not say."""

# Two manifests of a release differ in few documents: each text is read once, as long as a manifest that
# holds it is kept. Reading is a pure function of the text.
_READ: WeakValueDictionary[str, ObjectDocument] = WeakValueDictionary()


@lru_cache(maxsize=_MANIFESTS_KEPT)
def read_documents(manifest: str) -> Documents:
    """The documents in the manifest's order.

    Raises:
        ManifestError: a document is no object; in the client's words, after template and document (from 1).
    """
    documents: list[tuple[str, ObjectDocument]] = []
    source, number = "", 1
    try:
        for text, read in read_stream(manifest):
            # Helm 3 may leave a separator between its comment and the document it belongs to.
            source = source_of(text) or source
            document = _document(text, read)
            documents.append((source, document))
            number += 1
            if not document.is_empty:
                source = ""
    except ManifestError as error:
        place = f"{source or 'manifest'}, document {number}"
        raise ManifestError(f"{place}: {error.message}", remedy=error.remedy) from None
    return tuple(documents)


def source_of(document: str) -> str:
    """The template a document came from, by Helm's comment on top of it; empty without one."""
    for line in document.split("\n", 5)[:5]:
        if line.startswith(_SOURCE):
            return line.removeprefix(_SOURCE).strip()
        if line.strip() and not line.startswith(("#", "---")):
            return ""
    return ""


def _document(text: str, read: Callable[[], JSONValue]) -> ObjectDocument:
    known = _READ.get(text)
    if known is not None:
        return known
    value = read()
    document = ObjectDocument((), is_empty=True) if value is None else ObjectDocument(tuple(_bodies(value)))
    if not text.startswith("{"):
        # What a text in braces says depends on where it stands: it may be read as JSON.
        _READ[text] = document
    return document


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
        return
    if not _group_version_kind(document)[0]:
        raise ManifestError('error validating "": error validating data: apiVersion not set')
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
