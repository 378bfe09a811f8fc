"""What Helm looks at in a rendered document before it sorts it: apiVersion, kind, name and annotations.

Helm reads them leniently, into strings: ``name: 5`` is "5" here, though the Kubernetes client will refuse
it, and ``Kind:`` is as good as ``kind:``. Source: SimpleHead in helm/helm@v3.22.0
pkg/releaseutil/manifest.go, read by sigs.k8s.io/yaml v1.6.0 Unmarshal.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.errors import ManifestError
from helmguard.manifest import yaml
from helmguard.manifest.json_kind import json_kind, mismatch
from helmguard.manifest.numbers import format_g
from helmguard.model.json_value import JSONObject, JSONValue

_SimpleMetadata = (
    'struct { Name string "json:\\"name\\""; Annotations map[string]string "json:\\"annotations\\"" }'
)


class Head(msgspec.Struct):
    """All empty where the document does not say."""

    api_version: str = ""
    kind: str = ""
    name: str = ""
    annotations: dict[str, str] = {}


def read_head(text: str) -> Head:
    """The head of one document.

    Raises:
        ManifestError: not YAML, or a field has no text for a value; in Helm's words without its prefix
            ``YAML parse error on PATH: ``.
    """
    try:
        document = yaml.load(text)
    except yaml.YAMLError as error:
        raise ManifestError(f"error converting YAML to JSON: {error.message}") from None
    if document is None:
        return Head()
    if not isinstance(document, dict):
        what = f"json: cannot unmarshal {json_kind(document)} into Go value of type releaseutil.SimpleHead"
        raise _unreadable(what)
    head = Head()
    for value in _fields(document, "apiversion"):
        head.api_version = _text(value, "SimpleHead.apiVersion", head.api_version)
    for value in _fields(document, "kind"):
        head.kind = _text(value, "SimpleHead.kind", head.kind)
    for metadata in _fields(document, "metadata"):
        _read_metadata(head, metadata)
    return head


def _read_metadata(head: Head, metadata: JSONValue) -> None:
    if metadata is None:
        head.name, head.annotations = "", {}
        return
    if not isinstance(metadata, dict):
        raise _unreadable(mismatch(metadata, "SimpleHead.metadata", _SimpleMetadata))
    for value in _fields(metadata, "annotations"):
        if value is None:
            head.annotations = {}
        elif isinstance(value, dict):
            for key in sorted(value):
                head.annotations[key] = _text(value[key], ".metadata.annotations", "")
        else:
            raise _unreadable(mismatch(value, ".metadata.annotations", "map[string]string"))
    for value in _fields(metadata, "name"):
        head.name = _text(value, ".metadata.name", head.name)


def _fields(mapping: JSONObject, name: str) -> Iterator[JSONValue]:
    """The values of all spellings of a field, in the order Go reads them."""
    return (mapping[key] for key in sorted(mapping) if key.lower() == name)


def _text(value: JSONValue, where: str, before: str) -> str:
    """The value as text; null changes nothing."""
    if value is None:
        return before
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format_g(value, bits=32)
    if isinstance(value, int):
        return str(value)
    raise _unreadable(mismatch(value, where, "string"))


def _unreadable(problem: str) -> ManifestError:
    return ManifestError(f"error unmarshaling JSON: while decoding JSON: {problem}")
